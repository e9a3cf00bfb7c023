extension Span where Element == UInt8 {
    func holdsOnly(_ isAllowed: (UInt8) -> Bool) -> Bool {
        for index in indices where !isAllowed(self[index]) { return false }
        return true
    }
}
