internal import WidgetBundles

/// The documents of the contract, in the order the OpenAPI document lists them.
package enum WireDocuments {
    package static let all: [any WireDocument.Type] = [
        ResolutionDocument.self, ReleaseCandidate.self, FileDocument.self, BundleDocument.self, ChannelDocument.self,
        ReleaseDocument.self, WithdrawalDocument.self, DifferenceDocument.self, ChangeDocument.self,
        PageDocument<BundleDocument>.self, PageDocument<ChannelDocument>.self, PageDocument<ReleaseDocument>.self,
        PageDocument<FileDocument>.self, PageDocument<ChangeDocument>.self, ChannelSettingDocument.self,
        RollbackDocument.self, WithdrawDocument.self, BundleReport.self, TokenDocument.self, TokenRequestDocument.self,
        RevocationDocument.self, PageDocument<TokenDocument>.self, AuditDocument.self,
        PageDocument<AuditDocument>.self, WellKnownDocument.self, HealthDocument.self, ReadinessDocument.self,
        ProblemDocument.self,
    ]
}
