import Addresses
import Configuration
import Console
import HTTPServer
import HTTPWire
import RegistryServer
import Sockets
import WidgetBundles

extension Settings {
    /// The engine's bounds.
    var serverLimits: ServerLimits {
        var server = ServerLimits()
        server.head.requestLine = limits.requestLine
        server.head.field = limits.header
        server.head.fields = limits.headers
        server.head.fieldCount = limits.headerCount
        server.headTimeout = limits.headTimeout
        server.bodyRate = limits.bodyRate
        server.rateWindow = limits.rateWindow
        server.idleTimeout = limits.idleTimeout
        server.lingerBytes = limits.upload + (1 << 20)
        server.connections = limits.connections
        server.connectionsPerAddress = limits.connectionsPerAddress
        server.trustedProxies = proxy.trusted
        return server
    }

    /// What the registry says about itself, every limit under the name of its setting.
    var description: RegistryDescription {
        RegistryDescription(
            server: "widgetd/\(Version.text)",
            limits: [
                ("upload", limits.upload), ("expanded", limits.expanded), ("file", limits.file),
                ("entries", limits.entries), ("pathDepth", limits.pathDepth), ("pathLength", limits.pathLength),
                ("parsedFile", limits.parsedFile), ("ratio", limits.ratio),
                ("pixels", limits.pixels), ("requestLine", limits.requestLine),
                ("header", limits.header), ("headers", limits.headers), ("headerCount", limits.headerCount),
                ("headTimeout", limits.headTimeout.wholeSeconds), ("bodyRate", limits.bodyRate),
                ("rateWindow", limits.rateWindow.wholeSeconds), ("idleTimeout", limits.idleTimeout.wholeSeconds),
                ("writesPerMinute", limits.writesPerMinute),
                ("failedAuthenticationsPerMinute", limits.failedAuthenticationsPerMinute),
                ("diskReserve", limits.diskReserve), ("connections", limits.connections),
                ("connectionsPerAddress", limits.connectionsPerAddress),
                ("concurrentUploads", limits.concurrentUploads), ("channels", limits.channels),
            ],
            keptFiles: bundlePolicy.kept, isStrict: policy.isStrict,
            snapshotChannels: retention.snapshotChannels, reads: access.read.rawValue)
    }
}

extension Duration {
    /// Seconds, rounded up: a limit is never said to be longer than it is by a whole second, nor to be none.
    fileprivate var wholeSeconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) + (attoseconds > 0 ? 1 : 0)
    }
}
