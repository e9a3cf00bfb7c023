internal import Bytes

/// Names from files, as messages show them: on one line, escaped, cut short.
enum ShownName {
    static func of(_ name: String) -> String { ValuePath([.key(name)]).description }
}
