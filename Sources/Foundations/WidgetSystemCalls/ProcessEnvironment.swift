internal import Glibc

/// The environment of this process, which does not change while it runs.
package enum ProcessEnvironment {
    /// The value of a variable; `nil` if it is not set or empty, which mean the same here.
    package static func value(_ name: String) -> String? {
        guard let value = text(name), !value.isEmpty else { return nil }
        return value
    }

    /// All variables, as a child process gets them.
    package static var all: [String: String] {
        var all: [String: String] = [:]
        var next = unsafe environ
        // The list ends with a null pointer; the texts are copied at once.
        while let text = unsafe next.pointee {
            let pair = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { all[String(pair[0])] = String(pair[1]) }
            unsafe next += 1
        }
        return all
    }

    /// The value of a variable as it is set, even if it is empty.
    package static func text(_ name: String) -> String? {
        // The text is copied at once.
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }
}
