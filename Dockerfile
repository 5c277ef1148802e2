# Two images from one file: `web` serves the API, `worker` grades. Neither runs as root.
# Dependencies come from locks/run.txt by hash and as wheels only, like on any other machine.

FROM python:3.11-slim-bookworm AS dependencies
COPY locks/run.txt /locks/run.txt
RUN python -m venv /venv \
 && /venv/bin/pip --no-cache-dir --disable-pip-version-check install \
      --require-hashes --only-binary :all: -r /locks/run.txt

FROM python:3.11-slim-bookworm AS base
RUN useradd --uid 10001 --create-home --home-dir /data judge
COPY --from=dependencies /venv /venv
WORKDIR /app
COPY pyproject.toml ./
COPY judge ./judge
COPY submissions_sandbox ./submissions_sandbox
COPY migrations ./migrations
COPY problems ./problems
RUN /venv/bin/python -m compileall -q judge submissions_sandbox
ENV PATH=/venv/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONSAFEPATH=1 \
    PYTHONUNBUFFERED=1 \
    JUDGE_DATA_DIR=/data
USER judge
VOLUME /data

FROM base AS web
EXPOSE 8000
CMD ["python", "-m", "judge", "serve", "--host", "0.0.0.0", "--workers", "0"]

# Compilers are installed here and nowhere else.
FROM base AS worker
USER root
RUN apt-get update \
 && apt-get install -y --no-install-recommends default-jdk-headless g++ \
 && rm -rf /var/lib/apt/lists/*
USER judge
CMD ["python", "-m", "judge", "worker"]
