extension Span where Element == UInt8 {
    func holdsOnly(_ isAllowed: (UInt8) -> Bool) -> Bool {
        for index in indices where !isAllowed(self[index]) { return false }
        return true
    }
}

extension UInt8 {
    var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20)
    }
}
