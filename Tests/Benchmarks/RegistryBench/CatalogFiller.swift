import Bytes
import Database
import Files
import Registry

/// Fills a store's catalog without its archives, quickly: what resolving costs does not depend on them.
struct CatalogFiller {
    let bundles: Int
    let releasesPerBundle: Int

    /// Twelve labels; neighbours share most of them, as identifiers of one organisation do.
    static func identifier(_ number: Int) -> String {
        var rest = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        let labels = (0..<9).map { _ in
            rest = (rest ^ (rest >> 29)) &* 0xBF58_476D_1CE4_E5B9
            return ["widgets", "home", "news", "a", "beta-2", "Kiosk", "x86", "platform"][Int(rest >> 61)]
        }
        return "com.example." + labels.joined(separator: ".") + ".n\(number)"
    }

    func fill(_ path: String) throws {
        let connection = try DatabaseConnection(opening: path + "/catalog.sqlite", for: .writing)
        let files = Array(
            """
            [{"path":"Info.plist","size":512,"sha256":"\(String(repeating: "0", count: 64))","offset":52,\
            "compressedSize":300,"method":"deflate"},{"path":"a.json","size":4096,\
            "sha256":"\(String(repeating: "1", count: 64))","offset":420,"compressedSize":1400,"method":"deflate"}]
            """.utf8)
        // In the order of the index they will be found by, as a store that grew is not; hence the mixing above.
        try connection.transaction(.writing, wrapping: { $0 as any Error }) { () throws(any Error) in
            for bundle in 1...bundles { try insert(bundle, files, connection) }
        }
    }

    private func insert(_ bundle: Int, _ files: [UInt8], _ connection: DatabaseConnection) throws {
        let identifier = CatalogFiller.identifier(bundle)
        try connection.run(
            "INSERT INTO bundle (id, identifier, folded, name, release_count) VALUES (?, ?, ?, 'Bench', ?)",
            [.integer(bundle), .text(identifier), .text(identifier.lowercased()), .integer(releasesPerBundle)])
        var last = 0
        for number in 0..<releasesPerBundle {
            last = (bundle - 1) * releasesPerBundle + number + 1
            var digest = SHA256()
            digest.update(Array("\(last)".utf8))
            let bytes = digest.finish()?.bytes ?? []
            try connection.run(
                """
                INSERT INTO release (id, bundle, key, short_version, build, name, version, is_snapshot, digest,
                    content_digest, byte_count, published, published_by)
                VALUES (?, ?, ?, '1.0', ?, 'Bench', ?, 0, ?, ?, 2000, 1, 'bench')
                """,
                [
                    .integer(last), .integer(bundle), .text("1.0~\(number)"), .text("\(number)"),
                    .blob(VersionOrder.key(shortVersion: "1.0", build: "\(number)")), .blob(bytes), .blob(bytes),
                ])
            try connection.run("INSERT INTO release_files VALUES (?, ?)", [.integer(last), .blob(files)])
            try connection.run("INSERT INTO release_report VALUES (?, x'7B7D')", [.integer(last)])
            try connection.run(
                """
                INSERT INTO change (at, kind, bundle, release, channel, sequence, author)
                VALUES (1, 'publish', ?, ?, 'stable', ?, 'bench')
                """, [.text(identifier), .text("1.0~\(number)"), .integer(number + 1)])
        }
        try connection.run(
            """
            INSERT INTO channel (bundle, name, release, rollout, is_mandatory, salt, sequence, changed_at)
            VALUES (?1, 'stable', ?2, 10000, 0, 'abcd', ?3, 1)
            """, [.integer(bundle), .integer(last), .integer(releasesPerBundle)])
        try connection.run(
            """
            INSERT INTO placement (id, bundle, channel, sequence, at, kind, release, rollout, is_mandatory, salt)
            VALUES (?1, ?1, 'stable', ?3, 1, 'publish', ?2, 10000, 0, 'abcd')
            """, [.integer(bundle), .integer(last), .integer(releasesPerBundle)])
        try connection.run("UPDATE channel SET head = ?1 WHERE bundle = ?1", [.integer(bundle)])
        try connection.run("UPDATE bundle SET latest = ? WHERE id = ?", [.integer(last), .integer(bundle)])
    }
}
