internal import WidgetBytes
package import WidgetRegistry

/// The mark is an object with a name that no archive has. Its reads and writes are single attempts.
extension ObjectBlobs: MarkedStore {
    private static let markName = "registry"
    private static let markByteLimit = 1_024
    /// The time for an archive that is compared.
    private static let comparing = Duration.seconds(7)

    private var markKey: String {
        client.place.prefix.isEmpty ? ObjectBlobs.markName : "\(client.place.prefix)/\(ObjectBlobs.markName)"
    }

    package func mark() throws(StoreTrouble) -> String? {
        let bytes = try asking { () throws(ObjectError) in
            try client.look(at: markKey, byteLimit: ObjectBlobs.markByteLimit, within: client.limits.looking)
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    package func setMark(_ text: String) throws(StoreTrouble) {
        try asking { () throws(ObjectError) in try client.write(Array(text.utf8), as: markKey) }
    }

    package func holdsWhole(_ blob: StoredBlob) throws(StoreTrouble) -> Bool {
        let record: ObjectRecord?
        do throws(RegistryError) { record = try present(.blob(blob.digest)) } catch { throw .silent("\(error)") }
        guard let record else { return false }
        let bytes = try asking { () throws(ObjectError) in
            try client.look(at: key(record), byteLimit: record.byteCount, within: ObjectBlobs.comparing)
        }
        return bytes.flatMap { Digest.sha256($0) } == blob.digest
    }

    private func asking<Value>(_ body: () throws(ObjectError) -> Value) throws(StoreTrouble) -> Value {
        do throws(ObjectError) { return try body() } catch { throw StoreTrouble(error) }
    }
}
