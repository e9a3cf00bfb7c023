internal import Glibc

extension Directory {
    /// Where files that outlive nothing go: `TMPDIR` if that is set, else `/tmp`.
    package static var temporary: String {
        // The text belongs to the C library and is copied at once.
        guard let value = unsafe getenv("TMPDIR") else { return "/tmp" }
        let path = unsafe String(cString: value)
        return path.isEmpty ? "/tmp" : path
    }
}
