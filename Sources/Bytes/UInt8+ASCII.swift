extension UInt8 {
    /// `A-Z a-z 0-9`: what identifiers and versions are made of.
    package var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20)
    }
}
