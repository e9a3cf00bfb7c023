internal import JSONText
internal import WidgetBytes
internal import WidgetFindings
internal import WidgetPlist
internal import WidgetZip

/// Judges the files of a bundle one by one before there is an archive of them, and finds the faults of all.
///
/// The rules are those of ``BundleIntake``. Limits that an operator may raise do not count here: the intake knows them.
package struct LooseFileJudge {
    /// Files with a fault: one for each file, and for the property list one for each key.
    package private(set) var faults: [BundleError] = []
    private var scan = FindingScan()
    private let judge: ContentJudge
    private let limits: BundleLimits

    /// Limits that no policy is likely to exceed.
    private static let parsedByteCount = 16 << 20
    private static let listObjectCount = 1 << 20
    private static let pixelCount = 1 << 30

    package init() {
        var policy = BundlePolicy()
        policy.limits.parsedByteCount = LooseFileJudge.parsedByteCount
        policy.limits.listObjectCount = LooseFileJudge.listObjectCount
        policy.limits.pixelCount = LooseFileJudge.pixelCount
        limits = policy.limits
        judge = ContentJudge(policy: policy, executable: nil)
    }

    /// The findings, each as an error, that do not allow a bundle to run.
    package var findings: [BundleError] {
        scan.findings.filter { $0.severity == .error }
            .map { BundleError(.policy([$0]), path: $0.place?.file, line: $0.place?.line, column: $0.place?.column) }
    }

    /// - Parameter path: the path inside the bundle.
    package mutating func read(_ bytes: [UInt8], at path: String) {
        do throws(ZipName.Hazard) {
            _ = try ZipName(path, limits: limits.zip)
        } catch { return faults.append(BundleError(.unsafePath(error), path: path)) }
        let components = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        let claim = judge.claim(components)
        var inspector = FileInspector(claim, byteCount: bytes.count, limits: limits)
        inspector.consume(bytes.span)
        guard let seen = inspector.finish() else { return faults.append(BundleError(.outOfMemory, path: path)) }
        do throws(BundleError) {
            guard
                case .keep(_, let content) = try judge.judge(
                    components, claim: claim, seen, byteCount: bytes.count, path: path)
            else { return }
            switch content {
            case .document(let document): scan.read(path, document)
            case .list(let notes): scan.read(path, notes)
            case .opaque: break
            }
            if path == "Info.plist" { try readManifest(bytes, path) }
        } catch { faults.append(error) }
    }

    private mutating func readManifest(_ bytes: [UInt8], _ path: String) throws(BundleError) {
        let root = try rethrowing(
            try PlistReading(parsing: bytes, limits: limits.plist, decisive: BundleManifest.decisiveKeys).value
        ) { (error: PlistError) in
            BundleError(.infoPlist(error), path: path, offset: error.offset, line: error.line, column: error.column)
        }
        faults += BundleManifest.faults(in: root, path: path)
    }
}
