package import Bytes
internal import Files
internal import Locks
internal import RegistryContract
internal import WidgetBundles

extension Registry {
    /// In the order of their names, expired ones too.
    package func tokens() throws(RegistryError) -> [Token] {
        try readers.read { catalog throws(RegistryError) in try catalog.tokens() }
    }

    /// Every token by the SHA-256 of its secret, expired ones too.
    package func tokensByDigest() throws(RegistryError) -> [Digest: Token] {
        try readers.read { catalog throws(RegistryError) in try catalog.tokensByDigest() }
    }

    /// - Parameter digest: the SHA-256 of the secret.
    package func createToken(_ token: Token, digest: Digest) throws(RegistryError) {
        try token.check()
        try writer.write { catalog, _ throws(RegistryError) in
            guard try !catalog.hasToken(named: token.name) else { throw .tokenExists(token.name) }
            try catalog.insert(token, digest: digest)
        }
    }

    /// From now on the secret is worth nothing.
    package func revokeToken(_ name: String) throws(RegistryError) {
        try writer.write { catalog, _ throws(RegistryError) in
            guard try catalog.removeToken(named: name) else { throw .noSuchToken(name) }
        }
        tokenUses.withLock { _ = $0.removeValue(forKey: name) }
    }

    /// Whether noting the use of a token would write anything; from memory.
    package func isTokenUseDue(_ name: String) -> Bool {
        let time = options.now()
        return tokenUses.withLock { uses in
            guard let last = uses[name] else { return true }
            return !(last <= time && time < last.adding(60) ?? time)
        }
    }

    /// Notes that a token was used just now. Once a minute this writes, and waits for the disk.
    package func touchToken(_ name: String) throws(RegistryError) {
        let time = options.now()
        let isDue = tokenUses.withLock { uses in
            if let last = uses[name], last <= time, time < last.adding(60) ?? time { return false }
            uses[name] = time
            return true
        }
        guard isDue else { return }
        try writer.write { catalog, _ throws(RegistryError) in try catalog.setLastUse(ofToken: name, time) }
    }

    /// Writes `admin-token` into the data directory, for its owner's eyes alone.
    ///
    /// - Returns: the file's path.
    @discardableResult
    package func storeAdminToken(_ text: [UInt8]) throws(RegistryError) -> String {
        try storing { () throws(FileError) in
            try store.root.replaceFile(StoreNames.adminToken, with: text, mode: 0o600)
        }
        return "\(store.path)/\(StoreNames.adminToken)"
    }
}

extension Token {
    /// Throws what keeps it from being a token that could ever be of use.
    package func check() throws(RegistryError) {
        guard ChannelName.isName(name) else {
            throw .invalidValue("name", reason: "1 to 64 letters, digits, dots, hyphens and underscores")
        }
        guard Token.isPrefix(prefix) else {
            throw .invalidValue(
                "prefix",
                reason:
                    "whole labels joined by dots, of letters, digits and hyphens within, such as com.acme; or nothing")
        }
        guard !scopes.isEmpty else { throw .invalidValue("scopes", reason: "at least one is needed") }
    }

    /// What an identifier can begin with, up to the end of a label: a part of one would cover nothing.
    static func isPrefix(_ text: String) -> Bool {
        text.isEmpty || BundleManifest.isIdentifier(text) || BundleManifest.isIdentifier("\(text).x")
    }
}
