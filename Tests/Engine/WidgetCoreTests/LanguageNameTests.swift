import Testing

@testable import WidgetCore

/// Goal: a name that is of no language is found, with the one that is meant. Method: names beside sound ones.
@Suite struct `Names of languages` {
    @Test(
        arguments: [
            ("german", "de"), ("Germna", "de"), ("DE", "de"), ("DE_at", "de-at"), ("jp", "ja"), ("cz", "cs"),
            ("englisch", "en"),
        ])
    func `A name of no language has the one that is meant`(name: String, meant: String) {
        #expect(LanguageName.fault(of: name) == LanguageName.Fault(meant: meant))
    }

    @Test(arguments: ["xx", "q", "klingon", "12", ""])
    func `A name that nothing is near to has none`(name: String) {
        #expect(LanguageName.fault(of: name) == LanguageName.Fault(meant: nil))
    }

    @Test(arguments: ["de", "de_AT", "de-AT", "zh-Hans", "fil", "iw", "en_US_POSIX"])
    func `A name of a language has no fault`(name: String) {
        #expect(LanguageName.fault(of: name) == nil)
    }
}
