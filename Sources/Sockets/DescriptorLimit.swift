internal import CLinux

/// How many descriptors this process may open.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one, and returns what is then allowed.
    package static func raise() -> Int {
        var allowed: UInt64 = 0
        guard unsafe linux_raise_descriptor_limit(&allowed) == 0 else { return 1_024 }
        return Int(min(allowed, 1 << 20))
    }
}
