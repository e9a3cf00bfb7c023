internal import JSONText

/// The parts of a value that is one of several: `{"match": …, "cases": {…}, "else": …}`.
struct MatchWords {
    let subject: DocumentValue
    let cases: DocumentValue
    let otherwise: DocumentValue?

    /// `nil` for another value.
    init?(_ value: DocumentValue) {
        guard let object = value.json.object, MatchWords.isMatch(object), let subject = value["match"],
            let cases = value["cases"]
        else { return nil }
        self.subject = subject
        self.cases = cases
        otherwise = value["else"]
    }

    /// True for an object that has nothing but these parts; another one is itself a value.
    static func isMatch(_ object: JSONObject) -> Bool {
        guard let cases = object["cases"], let subject = object["match"] else { return false }
        return cases.object != nil && !subject.isNull && object.count == (object["else"] == nil ? 2 : 3)
    }

    /// All values that can be chosen.
    var results: [DocumentValue] { cases.members.map(\.value) + [otherwise].compactMap { $0 } }
}
