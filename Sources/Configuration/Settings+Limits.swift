extension Settings {
    /// The named maxima of the server; hitting one is a refusal of its own.
    package struct Limits: Equatable, Sendable {
        // What a bundle may be.
        package var upload = 64 << 20
        package var expanded = 256 << 20
        package var file = 64 << 20
        package var entries = 4_096
        package var pathDepth = 16
        package var pathLength = 512
        package var parsedFile = 1 << 20
        package var ratio = 200
        package var pixels = 16 << 20

        // What a request may be.
        package var requestLine = 8 << 10
        package var header = 8 << 10
        package var headers = 32 << 10
        package var headerCount = 100

        // How long a client may take.
        package var headTimeout = Duration.seconds(10)
        package var bodyRate = 1 << 10
        package var rateWindow = Duration.seconds(20)
        package var idleTimeout = Duration.seconds(60)

        // How much of the server a client may have.
        package var writesPerMinute = 600
        package var failedAuthenticationsPerMinute = 60
        package var diskReserve = 256 << 20
        package var connections = 16_384
        package var connectionsPerAddress = 1_024
        package var concurrentUploads = 16
        package var channels = 100

        package init() {}
    }
}
