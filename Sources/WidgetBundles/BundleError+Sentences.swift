internal import JSONText
internal import Plist
internal import Zip

extension BundleError: CustomStringConvertible {
    /// One line for a person: the file, the place in it, the sentence.
    package var description: String {
        var place = path ?? ""
        if let line { place += ":\(line)\(column.map { ":\($0)" } ?? "")" }
        return place.isEmpty ? sentence : "\(place): \(sentence)"
    }

    /// What is wrong, without where.
    package var sentence: String {
        switch reason {
        case .archive(let error): "the archive is refused: \(error.reason)"
        case .noBundle: "there is no bundle in it; put everything into one folder whose name ends in .bundle"
        case .severalBundles(let first, let second): "there are two bundles in it, \(first) and \(second)"
        case .tooManyEntries(let limit): "its files and the folders they are in are more than \(limit)"
        case .besideBundle: "nothing may lie beside the bundle's folder"
        case .unnamedBundle: "the bundle's folder has no name before its extension"
        case .unusableName(let name): "a folder cannot be named \"\(name)\" on every system; change CFBundleName"
        case .unsafePath(let hazard): "its path is not safe on every system: it \(hazard)"
        case .infoPlistMissing: "the bundle has no Info.plist"
        case .infoPlist(let error): "Info.plist cannot be read: \(error)"
        case .infoPlistNotDictionary: "Info.plist is not a dictionary"
        case .infoPlistKey(let key, let fault): "\(key) \(fault)"
        case .disguised(let name, let content): "its name says \(name.rawValue), its content is \(content.rawValue)"
        case .format(let kind, let fault): "it is not a sound \(kind.rawValue) file: \(fault.reason)"
        case .plist(let kind, let error): "it is not a sound \(kind.rawValue) file: \(error.reason)"
        case .json(let error): "\(error.reason)"
        case .tooLargeToRead(let limit): "files of this kind may have \(limit) bytes at most"
        case .policy(let findings):
            findings.count == 1 ? findings[0].detail : "\(findings.count) findings do not allow to run this bundle"
        case .notStrict(let report):
            "strict: \(report.stripped.count) stripped, \(report.warnings.count + report.findings.count) warnings"
        case .notCanonical(let what): "no registry serves such an archive: \(what)"
        case .notAFile: "it is neither a file nor a folder; links are not followed"
        case .tooManyFiles(let limit): "the folder holds more than \(limit) files and folders"
        case .nameNotUTF8: "its name is not UTF-8"
        case .file(let error): "\(error)"
        case .outOfMemory: "there is not enough memory"
        }
    }
}
