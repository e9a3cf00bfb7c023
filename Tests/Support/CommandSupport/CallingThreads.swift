package import Testing

/// Separate threads for tests that call commands.
///
/// Such a test blocks its thread until the command has ended. The threads that all tests share stay free for what
/// commands leave to them: a task that they start would else queue behind every test of the run.
package struct CallingThreads: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true

    private static let threads = CommandThreads(in: nil, mask: nil, most: 4)

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(CallingThreads.threads) { try await function() }
    }
}

extension Trait where Self == CallingThreads {
    package static var callingThreads: CallingThreads { CallingThreads() }
}
