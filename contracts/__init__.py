"""What passes between the stages: records, settings, errors, protocols and the trace recorder.

Nothing here imports another package of the project.
"""
