import Glibc

/// The environment of this process, which does not change while it runs.
enum Environment {
    /// `nil` for a variable that is not set, and for an empty one, which says as little.
    static func value(_ name: String) -> String? {
        guard let value = text(name), !value.isEmpty else { return nil }
        return value
    }

    /// As it is set, be it empty.
    static func text(_ name: String) -> String? {
        // The text is copied at once.
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }
}
