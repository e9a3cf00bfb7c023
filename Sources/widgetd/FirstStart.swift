internal import Bytes
import Configuration
import Console
import LocalStore
import Logging
import Registry
import RegistryServer

/// What a server does once in its life: it makes a token for its owner, and publishes what it is to begin with.
enum FirstStart {
    /// The token's name, and what publishing at the first start is signed with.
    private static let adminName = "admin"

    /// - Returns: the token that was made, if this was one and none was given.
    static func run(_ registry: Registry, _ settings: Settings, _ logger: Logger) throws(StartFailure) -> Secret? {
        var token: Secret?
        do throws(RegistryError) {
            guard try registry.isEmpty else { return nil }
        } catch {
            throw StartFailure(error, data: settings.data)
        }
        if let seed = settings.seed { try Seeding.check(seed) }
        try rethrowing(as: { StartFailure($0, data: settings.data) }) { () throws(RegistryError) in
            // The token first: without it nobody could do anything, bundles can be published again.
            if settings.accessPolicy.adminToken == nil { token = try makeAdminToken(registry, settings.data) }
        }
        if let seed = settings.seed {
            try Seeding(registry: registry, settings: settings, logger: logger).publish(seed)
        }
        return token
    }

    private static func makeAdminToken(_ registry: Registry, _ data: String) throws(RegistryError) -> Secret {
        let secret = TokenText.make()
        guard let digest = TokenText.digest(secret.exposedText) else { throw .outOfMemory }
        // On the disk before it is good for anything: the other way round, a crash would leave a token nobody has.
        try StoreDirectory.storeAdminToken(Array("\(secret.exposedText)\n".utf8), at: data)
        try registry.createToken(
            Token(name: adminName, prefix: "", scopes: [.admin], created: WallClock.now().seconds), digest: digest,
            by: "owner")
        return secret
    }
}
