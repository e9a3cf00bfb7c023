import Glibc

/// The environment of this process, which does not change while it runs.
enum Environment {
    static func value(_ name: String) -> String? {
        // The text is copied at once.
        guard let text = unsafe getenv(name) else { return nil }
        let value = unsafe String(cString: text)
        return value.isEmpty ? nil : value
    }
}
