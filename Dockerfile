# The published package in a container: docker build --tag cropframe .
# --build-arg CROPFRAME=cropframe@0.1.0 names a version, or the URL of a package; PACKAGES=@clickhouse/client adds optional ones.
FROM node:22-bookworm-slim
ARG CROPFRAME=cropframe
ARG PACKAGES=
RUN npm install --global $CROPFRAME $PACKAGES && npm cache clean --force \
  && install -d -o node -g node -m 700 /data
# Uploads, backups on their way and fetched files need a disk; /tmp may be memory, and the rest read-only.
ENV TMPDIR=/data XDG_CACHE_HOME=/data/cache
USER node
WORKDIR /data
VOLUME /data
EXPOSE 8470
HEALTHCHECK CMD node -e "fetch('http://127.0.0.1:8470/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"
# Node handles signals itself; --init (compose: init) reaps what it starts.
ENTRYPOINT ["cropframe"]
CMD ["serve", "--store", "/data/farm.duckdb", "--host", "0.0.0.0", "--trust-proxy"]
