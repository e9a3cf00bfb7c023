internal import JSONText
internal import WidgetBytes
internal import WidgetRunning

/// Answers of servers without the secrets and personal values that names and shapes show. A person has to read the rest.
///
/// A placeholder has the type and the shape of its value: letters are letters, digits are digits, and all else stays.
/// Equal texts have equal placeholders and different ones different ones, so that rows keep their identities.
struct AnswerMask {
    /// Deeper values are left out: a description may be 64 deep, and has the answer within it.
    private static let depth = 56
    /// The most elements of one array that are kept.
    static let elementCount = 50
    /// The most placeholders that differ.
    private static let placeholderCount = 20_000

    private var placeholders: [String: String] = [:]
    private var taken: [String: Int] = [:]
    /// The values so far, those of all depths.
    private(set) var valueCount = 0
    /// True once an array was cut.
    private(set) var hasCut = false

    mutating func masked(_ json: JSONValue) -> JSONValue {
        masked(json, isHidden: false, isOfPerson: false, depth: 0)
    }

    private mutating func masked(_ json: JSONValue, isHidden: Bool, isOfPerson: Bool, depth: Int) -> JSONValue {
        valueCount += 1
        guard depth < AnswerMask.depth else { return JSONValue(.null) }
        switch json.kind {
        case .null, .boolean: return json
        case .number(let number): return isHidden ? AnswerMask.masked(number) : json
        case .string(let text):
            return JSONValue(.string(AnswerMask.withoutPlaces(isHidden ? placeholder(of: text) : free(text))))
        case .array(let elements):
            if elements.count > AnswerMask.elementCount { hasCut = true }
            return JSONValue(
                .array(
                    elements.prefix(AnswerMask.elementCount).map {
                        masked($0, isHidden: isHidden, isOfPerson: isOfPerson, depth: depth + 1)
                    }))
        case .object(let object):
            let isOfPerson = isOfPerson || object.members.contains { MemberName($0.name).marksPerson }
            var names: Set<String> = []
            var members: [JSONObject.Member] = []
            for member in object.members {
                let name = MemberName(member.name)
                // Some servers have members by the names of people.
                let shown = free(member.name)
                guard names.insert(shown).inserted else { continue }
                let value = masked(
                    member.value, isHidden: isHidden || name.isHidden(ofPerson: isOfPerson),
                    isOfPerson: name.isPerson, depth: depth + 1)
                members.append(JSONObject.Member(shown, value))
            }
            return JSONObject(members).map { JSONValue(.object($0)) } ?? JSONValue(.null)
        }
    }

    /// A number with as many digits.
    private static func masked(_ number: JSONNumber) -> JSONValue {
        let text = number.text
        guard text.utf8.count <= 18, !text.contains(where: { "eE".contains($0) }) else {
            return JSONValue(.number(JSONNumber(1)))
        }
        let shape = String(text.map { $0.isNumber ? "1" : $0 })
        if let whole = Int64(shape) { return JSONValue(.number(JSONNumber(whole))) }
        return JSONValue(.number(Double(shape).flatMap { JSONNumber($0) } ?? JSONNumber(1)))
    }

    // MARK: - Placeholders

    private mutating func placeholder(of text: String) -> String {
        if let known = placeholders[text] { return known }
        let shape = String(
            text.map { letter -> Character in
                if letter.isNumber { return "1" }
                guard letter.isLetter else { return letter }
                return letter.isUppercase ? "X" : "x"
            })
        guard placeholders.count < AnswerMask.placeholderCount else { return shape }
        let number = taken[shape, default: 0]
        taken[shape] = number + 1
        let placeholder = AnswerMask.numbered(shape, number)
        placeholders[text] = placeholder
        return placeholder
    }

    /// The shape with a number in its last letters and digits; they count up from `x` and `1`.
    private static func numbered(_ shape: String, _ number: Int) -> String {
        var (left, letters) = (number, Array(shape))
        for place in letters.indices.reversed() where left > 0 {
            switch letters[place] {
            case "1":
                letters[place] = Character(Unicode.Scalar(UInt8(ascii: "1") + UInt8(left % 9)))
                left /= 9
            case "x", "X":
                let first = letters[place] == "x" ? UInt8(ascii: "a") : UInt8(ascii: "A")
                letters[place] = Character(Unicode.Scalar(first + UInt8((23 + left) % 26)))
                left /= 26
            default: continue
            }
        }
        return String(letters)
    }

    /// A text in which no `$` begins a place, which stubs would fill in.
    private static func withoutPlaces(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
        return text.replacing("$", with: "\u{FF04}")
    }

    // MARK: - Texts of other members

    /// A text whose parts that look like tokens or addresses of mail have placeholders.
    private mutating func free(_ text: String) -> String {
        guard text.utf8.count >= 6 else { return text }
        var result = ""
        for run in AnswerMask.runs(of: text) {
            result += MaskedRun(run).parts.map { $0.isSecret ? placeholder(of: $0.text) : $0.text }.joined()
        }
        return result
    }

    /// The text in pieces: those that a token or an address may be, and what lies between.
    private static func runs(of text: String) -> [Substring] {
        var runs: [Substring] = []
        var start = text.startIndex
        var isRun: Bool?
        for place in text.utf8.indices {
            let belongs = MaskedRun.has(text.utf8[place])
            if let isRun, isRun != belongs {
                runs.append(text[start..<place])
                start = place
            }
            isRun = belongs
        }
        runs.append(text[start...])
        return runs
    }
}

/// A piece of a text without blanks: a word, an address, a token.
private struct MaskedRun {
    /// The letters from which a token is one.
    private static let tokenLength = 32

    private(set) var parts: [(text: String, isSecret: Bool)] = []

    static func has(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "_-.+/=@~".utf8.contains(byte)
        }
    }

    init(_ run: Substring) {
        let text = String(run)
        if let at = text.firstIndex(of: "@"), at != text.startIndex, text[at...].contains(".") {
            parts = [(text, true)]
        } else if text.hasPrefix("eyJ"), text.split(separator: ".").count >= 2 {
            parts = [(text, true)]
        } else if let sign = text.firstIndex(of: "="), MemberName(String(text[..<sign])).isSecret {
            let value = text.index(after: sign)
            parts = [(String(text[..<value]), false), (String(text[value...]), true)]
        } else if text.utf8.count > MaskedRun.tokenLength, text.contains(where: { "+=".contains($0) }) {
            parts = [(text, true)]
        } else {
            var atom = ""
            for letter in text {
                if "./=@~".contains(letter) {
                    parts += [(atom, MaskedRun.isToken(atom)), (String(letter), false)]
                    atom = ""
                } else {
                    atom.append(letter)
                }
            }
            parts.append((atom, MaskedRun.isToken(atom)))
        }
    }

    private static func isToken(_ text: String) -> Bool {
        guard text.utf8.count >= tokenLength, text.contains(where: { $0.isLetter }),
            text.contains(where: { $0.isNumber })
        else {
            return false
        }
        // A UUID names things, which other members refer to.
        return text.split(separator: "-", omittingEmptySubsequences: false).map { $0.utf8.count } != [8, 4, 4, 4, 12]
    }
}

/// The name of a member in its words: `accessToken`, `access_token` and `access-token` are the same two.
private struct MemberName {
    private static let byteCount = 200

    private let words: [String]

    init(_ name: String) {
        var words: [String] = [""]
        var wasLower = false
        for letter in name.utf8.count > MemberName.byteCount ? "" : name {
            if !letter.isLetter && !letter.isNumber || letter.isUppercase && wasLower { words.append("") }
            wasLower = letter.isLowercase
            if letter.isLetter || letter.isNumber { words[words.count - 1] += letter.lowercased() }
        }
        self.words = words.filter { !$0.isEmpty }
    }

    /// True for a member whose value is a secret.
    var isSecret: Bool {
        words.contains { word in
            MemberName.secrets.contains(word) || MemberName.secretEnds.contains { word.hasSuffix($0) }
        }
    }

    /// True for a member whose object is about a person. Shops have phones and addresses, too.
    var marksPerson: Bool {
        isNameOfPerson || words.contains { ["email", "mail", "dob"].contains($0) || $0.hasPrefix("birth") }
    }

    /// True for a member that is a person, or several.
    var isPerson: Bool {
        words.contains { MemberName.persons.contains($0.hasSuffix("s") ? String($0.dropLast()) : $0) }
    }

    /// - Parameter ofPerson: true if its object is about a person.
    func isHidden(ofPerson: Bool) -> Bool {
        isSecret || words.contains(where: MemberName.isPersonal) || isNameOfPerson || ofPerson && words.last == "name"
    }

    private var isNameOfPerson: Bool {
        guard words.last == "name", words.count > 1 else {
            return words.contains { $0.hasSuffix("name") && MemberName.firstWords.contains(String($0.dropLast(4))) }
        }
        let first = words[words.count - 2]
        return MemberName.firstWords.contains(first) || MemberName.persons.contains(first)
    }

    private static func isPersonal(_ word: String) -> Bool {
        personal.contains(word) || personal.contains { $0.utf8.count > 4 && word.hasSuffix($0) }
            || word.hasPrefix("birth")
    }

    private static let secrets: Set<String> = [
        "auth", "authorization", "authorisation", "bearer", "cookie", "cookies", "credential", "credentials", "csrf",
        "cvc",
        "cvv", "jwt", "key", "keys", "otp", "passphrase", "passwd", "pin", "pwd", "session", "sessions", "sid", "sig",
        "signature", "xsrf",
    ]
    private static let secretEnds = ["password", "secret", "secrets", "token", "tokens", "apikey", "sessionid"]
    private static let personal: Set<String> = [
        "address", "addresses", "bic", "card", "dob", "email", "emails", "fax", "iban", "ip", "login", "mail", "mobile",
        "passport", "phone", "phones", "postcode", "ssn", "street", "surname", "tel", "telephone", "zip", "zipcode",
    ]
    private static let firstWords: Set<String> = [
        "birth", "display", "family", "first", "fore", "full", "given", "last", "maiden", "middle", "nick", "real",
        "screen", "sur", "user",
    ]
    private static let persons: Set<String> = [
        "account", "assignee", "author", "buyer", "contact", "creator", "customer", "driver", "employee", "follower",
        "friend", "guest", "member", "owner", "passenger", "patient", "people", "person", "profile", "recipient",
        "reporter", "seller", "sender", "student", "teacher", "user",
    ]
}
