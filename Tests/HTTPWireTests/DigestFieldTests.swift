import Testing

@testable import HTTPWire

@Suite struct `A digest field` {
    /// The SHA-256 of nothing.
    private static let empty = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test(arguments: [
        "sha-256=:\(empty):", "sha-512=:AA==:, sha-256=:\(empty):", "sha-256=:\(empty):;x=1",
        "unixsum=:AA==: ,sha-256=:\(empty):",
        "sha-256=:AA==:, sha-256=:\(empty):".replacingShort, "sha-256=:\(String(empty.dropLast())):",
    ])
    func `names a SHA-256`(_ text: String) throws {
        guard case .sha256(let bytes) = DigestField.read(text) else {
            Issue.record("\(text) was not read")
            return
        }
        #expect(bytes.count == 32)
        #expect(bytes.prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
        #expect(bytes.suffix(2) == [0xB8, 0x55])
    }

    @Test(arguments: ["sha-512=:AAAA:", "md5=:AA==:", "sha=::"])
    func `may name others only`(_ text: String) {
        #expect(DigestField.read(text) == .others)
    }

    @Test(arguments: [
        "", ",", "sha-256", "sha-256=", "sha-256=abc", "sha-256=:abc", "sha-256=:A:", "sha-256=:AAAA:",
        "sha-256=:\(empty)",
        "SHA-256=:\(empty):", "sha-256 =:\(empty):", "sha-256=:\(empty):x", "sha-256=:\(empty)=:", "sha-256=:%%%%:",
        "sha-256=\"\(empty)\"", "sha-256=:\(empty):, broken",
    ])
    func `that cannot be read is said to be so`(_ text: String) {
        #expect(DigestField.read(text) == .malformed)
    }
}

extension String {
    /// Of two members of one name the last counts, whatever the first was, as long as it is whole.
    fileprivate var replacingShort: String {
        let whole = String(repeating: "A", count: 43) + "="
        return split(separator: "AA==", maxSplits: 1, omittingEmptySubsequences: false).joined(separator: whole)
    }
}
