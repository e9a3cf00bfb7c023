import WidgetConsole

/// Every problem of the settings, not only the first.
package struct ConfigurationError: Error, Equatable, Sendable {
    package var problems: [SettingProblem]
}

/// One problem of the settings.
package struct SettingProblem: Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case unknownKey(String, nearest: String?)
        case unknownVariable(nearest: String?)
        case repeatedKey(String)
        /// `found` is already masked if it is a secret.
        case wrongValue(key: String, found: String, expectation: String)
        case notAGroup(key: String, found: String)
        case invalidSyntax(column: Int, expectation: String)
        case unreadable(FileFailure)
        /// The value and the file that holds it are both given.
        case givenTwice(other: String)
        case sameAddress(String)
        /// Two settings that exclude each other.
        case excludedBy(String)
    }

    package var reason: Reason
    package var source: SettingSource

    /// The place of the problem, the value found and the value expected, in one sentence.
    package var message: String {
        let place = QuotedText.plain(source.description)
        return switch reason {
        case .unknownKey(let key, _): "\(place): unknown key \(QuotedText.of(key))"
        case .unknownVariable: "unknown variable \(place)"
        case .repeatedKey(let key): "\(place): \(key) is given a second time"
        case .wrongValue(let key, let found, let expectation):
            "\(place): \(key) is \(found), expected \(expectation)"
        case .notAGroup(let key, let found):
            "\(place): \(key.isEmpty ? "the file" : key) is \(found), expected a group of settings in braces"
        case .invalidSyntax(let column, let expectation): "\(place):\(column): expected \(expectation)"
        case .unreadable(let failure): "\(place): \(failure.sentence)"
        case .givenTwice(let other): "\(place) and \(other) are both set"
        case .sameAddress(let address): "\(place): adminListen is \(address), which listen already has"
        case .excludedBy(let other): "\(place): this cannot be set together with \(other)"
        }
    }

    /// Advice to the operator, if there is any.
    package var hint: String? {
        switch reason {
        case .unknownKey(let key, let nearest?) where nearest == key:
            "write it as \(SettingProblem.nested(key))"
        case .unknownKey(_, let nearest?), .unknownVariable(let nearest?): "did you mean `\(nearest)`?"
        case .givenTwice, .excludedBy: "unset one of them"
        case .sameAddress: "give the metrics an address of their own"
        case .unreadable(.tooLarge(let byteLimit)): "at most \(SizeText.text(byteLimit)) are read"
        default: nil
        }
    }

    /// `limits.upload` as the file wants it: `limits: { upload: … }`.
    private static func nested(_ key: String) -> String {
        key.split(separator: ".").reversed().reduce("…") { inner, part in
            inner == "…" ? "\(part): …" : "\(part): { \(inner) }"
        }
    }
}
