package import Bytes
internal import Files
internal import Locks

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
        guard Channel.isName(token.name) else {
            throw .invalidValue("name", reason: "1 to 64 letters, digits, dots, hyphens and underscores")
        }
        guard Token.isPrefix(token.prefix) else {
            throw .invalidValue("prefix", reason: "labels of letters, digits and hyphens joined by dots, or nothing")
        }
        guard !token.scopes.isEmpty else { throw .invalidValue("scopes", reason: "at least one is needed") }
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
    /// One label or more, so that a whole organisation can be meant.
    static func isPrefix(_ text: String) -> Bool {
        let labels = Array(text.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.isEmpty
            || (text.utf8.count <= 155
                && labels.allSatisfy { label in
                    !label.isEmpty
                        && label.allSatisfy {
                            $0.isLetterOrDigit || $0 == UInt8(ascii: "-")
                        }
                })
    }
}
