"""The error tree. Every error says what happened, where, and what mends it.

AllrowsError
├── ConfigError            a setting is wrong                         exit 2
├── UsageError             a request or an argument is wrong          exit 2
│   └── FilterError        a filter on a field outside the schema     exit 2
├── InputError             one input file cannot be used              exit 4
├── IndexError_            the index is missing, stale or different   exit 2
│   ├── IndexLocked        another process holds the folder           exit 5
│   └── IndexMismatch      encoder, schema or version differ          exit 2
├── ModelFileError         weights are missing or not the pinned ones exit 2
├── AccessDenied           the caller may not                         exit 2
├── ServiceError           the HTTP service refuses a request         exit 2
│   ├── NotAuthenticated   no key, or a wrong one
│   ├── NotFound           no such thing, or none that the caller may see
│   ├── TooLarge           the request is over a size limit
│   ├── TooManyRequests    the key is over its rate
│   └── Busy               the queue is full or the service is stopping
└── DependencyError        something outside cannot be reached        exit 5
    ├── StoreUnavailable   Qdrant
    └── ModelUnavailable   the language model
"""

from __future__ import annotations


class AllrowsError(Exception):
    """`message` says what is wrong and where; `remedy` what to do about it."""

    exit_code = 2
    status = 500
    """The HTTP status that the service answers with."""
    retryable = False

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()


class ConfigError(AllrowsError):
    status = 500


class UsageError(AllrowsError):
    status = 422


class FilterError(UsageError):
    status = 422


class InputError(AllrowsError):
    """One file cannot be used: `path` names it, the others go on."""

    exit_code = 4
    status = 422

    def __init__(self, path: str, message: str, remedy: str = "") -> None:
        super().__init__(f"{path}: {message}", remedy)
        self.path = path


class IndexError_(AllrowsError):
    status = 503


class IndexLocked(IndexError_):
    exit_code = 5


class IndexMismatch(IndexError_):
    pass


class ModelFileError(AllrowsError):
    status = 503


class AccessDenied(AllrowsError):
    status = 403


class ServiceError(AllrowsError):
    """`retry_after` is in seconds, 0 when trying again does not help."""

    status = 400

    def __init__(self, message: str, remedy: str = "", retry_after: int = 0) -> None:
        super().__init__(message, remedy)
        self.retry_after = retry_after


class NotAuthenticated(ServiceError):
    status = 401


class NotFound(ServiceError):
    status = 404


class TooLarge(ServiceError):
    status = 413


class TooManyRequests(ServiceError):
    status = 429
    retryable = True


class Busy(ServiceError):
    status = 503
    retryable = True


class DependencyError(AllrowsError):
    exit_code = 5
    status = 503
    retryable = True


class StoreUnavailable(DependencyError):
    pass


class ModelUnavailable(DependencyError):
    pass
