import WidgetBundles
import WidgetBytes
import WidgetFiles

/// `BundleBench SOURCE TARGET [TIMES]`: everything publishing does to an archive before it is stored: find the
/// bundle, judge and strip it, write it in canonical form. Prints what came out and the most memory it took.
///
/// The source's digest is handed in, as the server has it from receiving the bytes.
func take(_ arguments: [String]) throws {
    let source = try FileDescriptor.reading(arguments[1])
    let target = try FileDescriptor.creating(arguments[2])
    let digest = Digest.sha256([])
    for _ in 0..<(arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1) {
        try target.truncate(to: 0)
        do throws(BundleError) {
            let taken = try BundleIntake().take(source, digest: digest, into: target)
            let (bundle, report) = (taken.bundle, taken.report)
            print("\(bundle.digest.hex) \(bundle.byteCount) \(report.kept.count) \(report.stripped.count)")
        } catch {
            print(error.code.rawValue, error)
        }
    }
    // What a parent can ask for counts the parent's own peak from before the program began.
    let status = try FileDescriptor.reading("/proc/self/status").read(at: 0, count: 8_192)
    for line in status.split(separator: UInt8(ascii: "\n")) where line.starts(with: "VmHWM:".utf8) {
        print(String(decoding: line, as: UTF8.self))
    }
}

try take(CommandLine.arguments)
