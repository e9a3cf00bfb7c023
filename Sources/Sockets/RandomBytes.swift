internal import CLinux

/// Unpredictable bytes from the kernel.
package enum RandomBytes {
    package static func word() -> UInt64 {
        var word: UInt64 = 0
        // Eight bytes are written; so few are never delivered in part.
        if unsafe linux_random(&word, 8) == 8 { return word }
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
