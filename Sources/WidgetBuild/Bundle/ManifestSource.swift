internal import Bytes
internal import Plist

/// The property list of a source, completed: what it leaves out gets the usual value, and a note says so.
struct ManifestSource {
    let name: String
    let bytes: [UInt8]
    private(set) var notes: [String] = []

    init(_ source: [UInt8]?, folder: String) throws(BuildError) {
        guard let source else {
            throw BuildError(
                "there is no Info.plist", path: "Info.plist",
                hints: ["`widget new NAME` writes a source with everything a bundle needs"])
        }
        let root = try rethrowing(try PlistValue(parsing: source)) { (error: PlistError) in
            BuildError("\(error.reason)", path: "Info.plist", at: error.position)
        }
        guard let given = root.dictionary else {
            throw BuildError("the property list is no dictionary", path: "Info.plist")
        }
        guard let identifier = given["CFBundleIdentifier"]?.string, !identifier.isEmpty else {
            throw BuildError(
                "CFBundleIdentifier is missing", path: "Info.plist", hints: ["such as com.example.Weather"])
        }
        name = given["CFBundleName"]?.string ?? folder
        guard !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0) else {
            throw BuildError(
                "the bundle cannot be called \"\(name)\"", path: "Info.plist",
                hints: ["CFBundleName is also the name of a folder"])
        }
        var members = Array(given.members)
        for (key, value) in [
            ("CFBundleDevelopmentRegion", "en"), ("CFBundleInfoDictionaryVersion", "6.0"), ("CFBundleName", name),
            ("CFBundlePackageType", "BNDL"), ("CFBundleShortVersionString", "1.0"), ("CFBundleVersion", "1"),
            ("MinimumOSVersion", "10.0"),
        ] where given[key] == nil {
            members.append((key, .string(value)))
            if ["CFBundleShortVersionString", "CFBundleVersion"].contains(key) {
                notes.append("Info.plist: \(key) is missing; it is \(value) now")
            }
        }
        guard let complete = PlistDictionary(members.sorted { $0.0 < $1.0 }) else {
            throw BuildError("a key of the property list is given twice", path: "Info.plist")
        }
        bytes = PlistValue.dictionary(complete).encodedBinary()
    }
}
