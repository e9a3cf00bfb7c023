import RegistryClient
import Testing

/// Goal: whatever a registry answers, a host refuses it or has the right release, keeps what it had byte for byte,
/// writes nowhere else, and the next honest answer mends it. Method: an honest registry's answers over loopback with one
/// thing changed, told to a host that has nothing and to one that has a release.
@Suite(.timeLimit(.minutes(20))) struct `A hostile registry` {
    @Test(arguments: DocumentStories.all + MandatoryStories.all, [false, true])
    func `gets nowhere with a document of`(story: Story, hasRelease: Bool) async throws {
        try await story.play(hasRelease: hasRelease)
    }

    @Test(arguments: AnswerStories.all, [false, true])
    func `gets nowhere with an answer of`(story: Story, hasRelease: Bool) async throws {
        try await story.play(hasRelease: hasRelease)
    }

    @Test(arguments: ArchiveStories.all, [false, true])
    func `gets nowhere with an archive of`(story: Story, hasRelease: Bool) async throws {
        try await story.play(hasRelease: hasRelease)
    }

    @Test func `has been tried in at least 172 ways, the corpus of archives not counted`() {
        let names = (DocumentStories.all + MandatoryStories.all + AnswerStories.all + ArchiveStories.all).map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count { !$0.hasSuffix(".zip") } >= 172, "\(names.count)")
    }
}
