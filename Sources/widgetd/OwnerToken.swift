import Bytes
import Configuration
import LocalStore
import Logging
import Registry
import RegistryServer

/// Where somebody who starts the server finds a token with every right.
enum OwnerToken: Equatable, Sendable {
    /// Alone in a file.
    case file(String)
    case variable(String)
    /// Among other things: where, in words.
    case among(String)
    /// Nowhere we know of, though there are tokens.
    case elsewhere
    /// There is no token that is good for anything.
    case missing

    init(_ registry: Registry, _ loaded: LoadedSettings<Settings>) throws(RegistryError) {
        if loaded.settings.accessPolicy.adminToken != nil {
            let source = loaded.source(of: "adminToken")
            if let path = loaded.secretFile(of: "adminToken") {
                self = .file(path)
            } else if case .environment(let name) = source {
                self = .variable(name)
            } else {
                self = .among(source.description)
            }
            return
        }
        let now = WallClock.now().seconds
        let tokens = try registry.tokensByDigest().filter { $0.value.expires ?? .max > now }
        let path = StoreDirectory.adminTokenPath(at: loaded.settings.data)
        if let digest = OwnerToken.digest(ofFile: path), tokens[digest] != nil {
            self = .file(path)
        } else {
            self = tokens.isEmpty ? .missing : .elsewhere
        }
    }

    /// Removes the file of the first start when the token in it was revoked: it is good for nothing any more.
    static func removeStale(_ registry: Registry, _ data: String) {
        let path = StoreDirectory.adminTokenPath(at: data)
        guard let digest = digest(ofFile: path), let tokens = try? registry.tokensByDigest(), tokens[digest] == nil
        else {
            return
        }
        // A file that cannot be removed does no harm, and the next start does not name it.
        try? StoreDirectory.removeAdminToken(at: data)
    }

    /// Of what the first start has written, if it is there still; it may be of a catalog that is gone.
    private static func digest(ofFile path: String) -> Digest? {
        guard let bytes = try? BoundedFile.read(path, byteLimit: 4_096) else { return nil }
        return TokenText.digest(String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }))
    }
}
