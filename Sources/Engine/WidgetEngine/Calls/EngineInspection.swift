internal import JSONText
package import WidgetBundles
internal import WidgetBytes
internal import WidgetCore
internal import WidgetFiles
internal import WidgetPredicates
internal import WidgetRunning

/// Facts about a bundle that does not run, and about an expression without a bundle.
package enum EngineInspection {
    /// The report of taking an archive in, and the outline of what it holds.
    package static func of(_ archive: [UInt8]) -> Result<String, BundleError> {
        do throws(BundleError) {
            let source = try EngineBundle.file(archive, "the archive")
            let target = try EngineBundle.file([], "its canonical archive")
            let taken = try BundleIntake().take(source, into: target)
            let outline = try taken.bundle.outline(taken.directory, readingFrom: target)
            var report = taken.report
            report.findings += findings(of: CanonicalBundle(taken, archive: target), in: report)
            return .success("\(ReportText(report))\(outline)")
        } catch {
            return .failure(error)
        }
    }

    private static func findings(of opened: borrowing CanonicalBundle, in report: BundleReport) -> [Finding] {
        do throws(WidgetError) {
            let program = try BundleReading.program(of: opened)
            return BundleFindings.ofReading(program) + BundleFindings.ofLooks(program, try? BundlePictures(of: opened))
        } catch {
            return report.findings.contains { $0.code == .noInterface } ? [] : error.faults
        }
    }

    /// The identity and the content of an archive, if a registry can have written it: what a host compares with what was
    /// announced.
    static func proof(_ archive: [UInt8]) -> EngineAnswer {
        do throws(BundleError) {
            let proven = try BundleIntake().prove(try EngineBundle.file(archive, "the archive"))
            return EngineAnswer { writer in
                writer.member("identifier", proven.manifest.identifier)
                writer.member("release", proven.manifest.releaseKey)
                writer.member("name", proven.name)
                writer.member("content", proven.contentDigest.hex)
            }
        } catch {
            return EngineAnswer(fault: error.code.rawValue, "\(error)", hints: [error.remedy])
        }
    }

    /// The value of an expression, or whether a predicate holds, as an answer with `value`, or with the sentence of a fault.
    static func evaluate(_ text: String, _ subject: JSONValue?, now: Double) -> EngineAnswer {
        let subject = subject.map { Value($0) } ?? .null
        let limits = PredicateLimits()
        do throws(PredicateError) {
            let tree = try SyntaxTree.either(text, arguments: [])
            let environment = PredicateEnvironment(now: now)
            let value: Value
            if tree.isPredicate {
                let predicate = try CompiledPredicate(tree, limits: limits)
                value = .boolean(try predicate.holds(for: subject, predicate.bind([:]), environment: environment))
            } else {
                let expression = try CompiledExpression(tree, limits: limits)
                value = try expression.value(for: subject, expression.bind([:]), environment: environment)
            }
            return EngineAnswer { writer in
                writer.member("value", value.shown)
                writer.member("text", tree.printed.text)
            }
        } catch {
            return EngineAnswer(fault: "predicate", "\(error)")
        }
    }
}
