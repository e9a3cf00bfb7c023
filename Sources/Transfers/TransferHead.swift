/// The beginning of an answer: everything but its body.
package struct TransferHead: Equatable, Sendable {
    package var status: Int
    /// In the order they came; surrounding white space is gone.
    package var fields: [TransferField]
    /// Where the answer came from, redirects followed.
    package var url: TransferURL

    package init(status: Int, fields: [TransferField], url: TransferURL) {
        self.status = status
        self.fields = fields
        self.url = url
    }

    /// The value of the first field of that name, in whatever case.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name.hasSameLetters(as: name) }?.value
    }

    package func values(_ name: String) -> [String] {
        fields.filter { $0.name.hasSameLetters(as: name) }.map(\.value)
    }

    package var isSuccess: Bool { (200..<300).contains(status) }

    /// `nil` when it is absent, or no number.
    package var contentLength: Int? { self["Content-Length"].flatMap(TransferHead.wholeNumber) }

    /// Digits and nothing else.
    static func wholeNumber(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}

extension String {
    /// Whether both are the same but for the case of ASCII letters.
    func hasSameLetters(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { first, second in
            first == second || (first | 0x20 == second | 0x20 && (0x61...0x7A).contains(first | 0x20))
        }
    }
}
