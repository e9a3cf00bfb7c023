package import WidgetContract
package import WidgetCore

/// Asks the program of a widget if the answers of the bundle's stubs are of the types that its screens read them with.
package enum NativeAnswers {
    /// The most answers that are asked about.
    private static let mostAnswers = 100

    /// The faults that the program finds, and its own if it does not answer. It has answered no turn before. A program that runs
    /// is asked with its first turn.
    package static func findings(of program: Program, asking code: any NativeCode) -> [Finding] {
        let calls = calls(for: program)
        guard !calls.isEmpty else { return [] }
        do throws(NativeFailure) {
            return try code.reply(to: NativeTurn(1, calls: calls)).remarks.map { Finding($0) }
        } catch {
            return [Finding(.error, .nativeFault, "The program does not look at answers: \(error)".excerpt)]
        }
    }

    /// A call for each answer of a stub to a source of a screen.
    static func calls(for program: Program) -> [NativeCall] {
        var calls: [NativeCall] = []
        for (name, scene) in program.scenes.sorted(by: { $0.key < $1.key }) {
            for source in scene.data where calls.count < mostAnswers {
                guard case .request(let call) = source.kind,
                    let action = program.services[call.service]?.actions[call.action],
                    let response = action.response
                else { continue }
                let answer = response.member(at: source.part ?? action.resultKeyPath)
                calls.append(
                    NativeCall(
                        NativeCall.answerHandler(source.id, in: name), screen: 0, argument: NativeValues.json(answer)))
            }
        }
        return calls
    }
}
