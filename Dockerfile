# The program and nothing else: no shell, no package manager, no other user.
#
#   make image
#   docker run --read-only --volume widgetd-data:/data --publish 8080:8080 widgetd
#
# For several replicas (docs/scaling.md), the program that links libpq:
#
#   docker build --target cluster --tag widgetd-cluster .

# Anything with a Swift compiler on Debian or Ubuntu; Tests/Container/run names another.
ARG BUILDER=docker.io/library/swift:6.3-bookworm
# That of the programs; .ci/dist compares them.
ARG VERSION=0.2.0

FROM ${BUILDER} AS builder
WORKDIR /source
COPY .ci/setup .ci/setup
RUN .ci/setup build
COPY . .
RUN .ci/setup build -- swift build --configuration release --static-swift-stdlib --product widgetd
RUN .ci/setup wasm -- .ci/wasm
RUN .ci/setup wasm -- .ci/image-root .build/release/widgetd /image

FROM builder AS cluster-builder
RUN .ci/setup build -- swift build --configuration release --static-swift-stdlib --product widgetd-cluster
RUN .ci/setup wasm -- .ci/image-root .build/release/widgetd-cluster /image-cluster

FROM scratch AS cluster
ARG VERSION
LABEL org.opencontainers.image.title="widgetd-cluster" org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.description="Registry for widget bundles, one of several replicas" \
    org.opencontainers.image.licenses="MIT"
COPY --from=cluster-builder /image-cluster/ /
USER 10001:10001
ENV WIDGETD_LISTEN=0.0.0.0:8080 WIDGETD_DATA=/data
VOLUME ["/data"]
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=3s --start-period=5s CMD ["/usr/bin/widgetd-cluster", "healthcheck"]
ENTRYPOINT ["/usr/bin/widgetd-cluster"]
CMD ["serve"]

# The last stage is the one that is built without a name; it needs none of those before but the first.
FROM scratch
ARG VERSION
LABEL org.opencontainers.image.title="widgetd" org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.description="Registry for widget bundles" \
    org.opencontainers.image.licenses="MIT"
COPY --from=builder /image/ /
# Numeric, so that a cluster can see it is not root; any other number does as well.
USER 10001:10001
ENV WIDGETD_LISTEN=0.0.0.0:8080 WIDGETD_DATA=/data
VOLUME ["/data"]
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=3s --start-period=5s CMD ["/usr/bin/widgetd", "healthcheck"]
ENTRYPOINT ["/usr/bin/widgetd"]
CMD ["serve"]
