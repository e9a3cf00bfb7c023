internal import Bytes
internal import JSONText

/// The findings of one file, as they are collected.
struct FindingSheet {
    /// More findings of one severity are not listed; a file that has so many is refused or warned about anyway.
    static let countLimit = 200

    let path: String
    private let bytes: [UInt8]
    /// Made for the first finding; most files have none.
    private var lines: LineTable?
    private var counts: [Finding.Severity: Int] = [:]
    private var findings: [Finding] = []

    init(path: String, document: JSONTable) {
        self.path = path
        bytes = document.bytes
    }

    /// Notes a finding at a value, or at an offset inside a string's text.
    mutating func note(_ code: FindingCode, at span: JSONSpan, textOffset: Int? = nil, _ detail: String) {
        let severity = code.severity
        guard counts[severity, default: 0] < FindingSheet.countLimit else { return }
        counts[severity, default: 0] += 1
        findings.append(finding(code, at: span, textOffset: textOffset, detail))
    }

    /// A finding that is not noted yet.
    mutating func finding(
        _ code: FindingCode, at span: JSONSpan, textOffset: Int? = nil, _ detail: String
    ) -> Finding {
        let offset = textOffset.map { StringPlace.offset(ofText: $0, in: span, of: bytes) } ?? span.offset
        let table = lines ?? LineTable(bytes)
        lines = table
        let position = table.position(of: offset)
        return Finding(
            code: code.rawValue, severity: code.severity, path: path, line: position.line, column: position.column,
            detail: detail)
    }

    /// In the order in which they stand in the file.
    func sorted() -> [Finding] { FindingSheet.sorted(findings) }

    static func sorted(_ findings: [Finding]) -> [Finding] {
        findings.sorted { ($0.line, $0.column, $0.code) < ($1.line, $1.column, $1.code) }
    }
}
