# syntax=docker/dockerfile:1

# The long-term release on which npm test runs the tests too (scripts/lib/shipped-node.mjs). Both images are the same Debian; the second has only the base system.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG RUNTIME_IMAGE=debian:bookworm-slim
# The image that runs now, for example symbol:1.4.0: its page files are kept for tabs that are open.
ARG PREVIOUS=${RUNTIME_IMAGE}

FROM ${PREVIOUS} AS previous

FROM ${NODE_IMAGE} AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends binutils tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Not `npm ci`: docs/decisions/009-npm-install-from-the-lockfile.md. Versions are those of the lockfile.
RUN npm install --no-save --omit=dev --legacy-peer-deps --no-audit --no-fund --loglevel=error
COPY . .
# Named here so that another previous image means another build.
ARG PREVIOUS
RUN --mount=type=bind,from=previous,source=/,target=/previous \
  if [ -d /previous/app/dist/web/assets ]; then mkdir -p dist/web && cp -r /previous/app/dist/web/assets dist/web/; fi \
  && node scripts/build.mjs
RUN node scripts/production.mjs /app
RUN strip --strip-unneeded -o /usr/local/bin/node-stripped /usr/local/bin/node

FROM ${RUNTIME_IMAGE}
# 1 adds ffmpeg for recordings above 25 MB that are not WAV, and about 480 MB.
ARG FFMPEG=0
# 1 adds pdftoppm, which makes pictures of any page of a PDF; without it only pages that are one image can be read.
ARG POPPLER=1
RUN programs="$([ "$FFMPEG" = 1 ] && echo ffmpeg) $([ "$POPPLER" = 1 ] && echo poppler-utils)" \
  && if [ "$programs" != " " ]; then \
    apt-get update && apt-get install -y --no-install-recommends $programs && rm -rf /var/lib/apt/lists/*; \
  fi \
  && mkdir /data /backups && chown 10001:10001 /data /backups
COPY --from=build /usr/local/bin/node-stripped /usr/local/bin/node
COPY --from=build /usr/bin/tini-static /usr/local/bin/tini
COPY --from=build /app /app
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
VOLUME /data
USER 10001:10001
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=4s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/api/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
# The heap follows the memory that the container may take (docs/decisions/105).
CMD ["sh", "-c", "exec node $(node dist/server-flags.js) dist/server.js"]
