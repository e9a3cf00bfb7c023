internal import WidgetBytes
internal import WidgetCore
internal import WidgetNib

/// Finds names of properties that elements do not have, and values that they cannot use.
extension SceneAssembly {
    /// Reports the target of a binding or the name of an attribute that its elements do not have.
    ///
    /// A class of the host may have any property, so there only the framework's own words and slips of them are reported.
    mutating func checkProperty(_ written: String, of targets: [NodeID], _ id: String, at place: Place?) {
        guard hasRoom, let target = targets.first else { return }
        let (name, holder) = holder(of: written, target)
        guard !name.contains(".") else { return }
        let kind = scene.nodes[holder].kind
        let isHostClass =
            skeleton.originals[holder]?.element.customClassName.map { !FrameworkClasses.all.contains($0) } ?? false
        if PropertyNames.isKnown(name) {
            guard let kinds = PropertyNames.kinds[name], !kinds.contains(kind), !isHostClass, kind != .box else {
                return
            }
            if case .unknown = kind { return }
            let owners = NameList(kinds.map { $0.spoken }.sorted())
            report(
                Finding(
                    .warning, .unknownKey, "\(id.excerpt) is a \(kind.spoken), which has no \(name.excerpt)",
                    at: place,
                    hint: "it is a property of: \(owners)"))
            return
        }
        if PropertyNames.isOfSystem(name) { return }
        let nearest = NearestName.of(name, in: PropertyNames.sorted, atMost: PropertyNames.slipLength)
        if nearest == nil, !name.hasPrefix("wx_"), isHostClass || scene.nodes[holder].form != nil { return }
        if nearest == nil, !name.hasPrefix("wx_"), skeleton.originals[holder]?.element.customClassName != nil { return }
        report(
            Finding(
                .warning, .unknownKey,
                "\(kind.spoken.withArticle) has no \(name.excerpt), so \(id.excerpt) shows nothing of it",
                at: place,
                nearest: nearest, hint: "on iOS, setting a property that a view lacks ends the app"))
    }

    /// Reports elements that an outlet of another one leads to, and that no interface has.
    mutating func checkTargets(of outlet: OutletDescription, _ id: String) {
        for target in outlet.targets where hasRoom && !isKnown(target) {
            report(
                Finding(
                    .warning, .unknownIdentifier,
                    "\(id.excerpt).\(outlet.name.excerpt) leads to \(target.excerpt), which is not on the screen",
                    at: outlet.place, value: target.excerpt, nearest: NearestName.of(target, in: elementNames),
                    hint: KeyTable.list(elementNames, "the screen has")))
        }
    }

    /// Reports an attribute's value that is of another kind than its property.
    mutating func checkValue(_ name: String, _ value: SchemeValue) {
        guard hasRoom, let known = ElementAttributes.all.first(where: { $0.name == name }),
            let fault = KeyTable.fault(name, known.kind, AuthoredShape(value.json), coerces: true, at: value.place)
        else { return }
        report(fault)
    }
}

/// The names of the properties of elements.
enum PropertyNames {
    /// The most letters by which a misspelt name differs from the one that was meant.
    static let slipLength = 2

    private static let known = Set(
        ElementAttributes.all.map { $0.name } + Array(WidgetKitVocabulary.vocabulary.keys.keys)
            + [WidgetKitVocabulary.valueKey, "titles", "datePickerMode", "image"])
    static let sorted = known.sorted()

    static func isKnown(_ name: String) -> Bool { known.contains(name) }

    /// The kinds that a property is of, where it is not of all.
    static let kinds: [String: Set<NodeKind>] = [
        "on": [.toggle], "isOn": [.toggle], "selectedSegmentIndex": [.segments], "date": [.datePicker],
        "countDownDuration": [.datePicker], "currentPage": [.pageControl], "numberOfPages": [.pageControl],
        "minimumValue": [.slider, .stepper], "maximumValue": [.slider, .stepper], "stepValue": [.stepper],
        "progress": [.progress, .form], "constant": [.constraint], "animatedConstant": [.constraint],
        "animating": [.activity, .image], "isAnimating": [.activity, .image], "hidesWhenStopped": [.activity],
    ]

    /// True for a property of the system's views that this engine shows in other ways, or not.
    static func isOfSystem(_ name: String) -> Bool {
        if name.hasPrefix("accessibility") { return true }
        guard name.hasPrefix("is"), let first = name.dropFirst(2).first, first.isUppercase else {
            return system.contains(name)
        }
        return system.contains(first.lowercased() + name.dropFirst(3)) || system.contains(name)
    }

    private static let system = Set(
        (views + texts + controls + lists).flatMap { $0.split(separator: " ") }.map(String.init))

    private static let views = [
        "alpha backgroundColor tintColor bounds center frame transform tag contentMode clipsToBounds opaque hidden",
        "multipleTouchEnabled exclusiveTouch autoresizesSubviews autoresizingMask semanticContentAttribute layoutMargins",
        "translatesAutoresizingMaskIntoConstraints preservesSuperviewLayoutMargins restorationIdentifier mask maskView",
        "insetsLayoutMarginsFromSafeArea directionalLayoutMargins contentScaleFactor tintAdjustmentMode contentStretch",
        "gestureRecognizers motionEffects overrideUserInterfaceStyle userInteractionEnabled largeContentTitle",
        "clearsContextBeforeDrawing cornerRadius borderWidth borderColor shadowColor shadowOpacity shadowOffset shadowRadius",
        "masksToBounds shouldRasterize zPosition axis distribution alignment spacing arrangedSubviews effect priority",
        "showsLargeContentViewer interactions keyboardLayoutGuide anchorPoint largeContentImage active identifier",
    ]
    private static let texts = [
        "text attributedText font textColor textAlignment lineBreakMode numberOfLines adjustsFontSizeToFitWidth",
        "baselineAdjustment minimumScaleFactor minimumFontSize preferredMaxLayoutWidth highlightedTextColor highlighted",
        "allowsDefaultTighteningForTruncation adjustsFontForContentSizeCategory lineBreakStrategy attributedPlaceholder",
        "borderStyle background disabledBackground clearsOnBeginEditing clearsOnInsertion clearButtonMode leftView rightView",
        "leftViewMode rightViewMode inputView inputAccessoryView keyboardType keyboardAppearance returnKeyType textContentType",
        "autocapitalizationType autocorrectionType spellCheckingType smartQuotesType smartDashesType smartInsertDeleteType",
        "enablesReturnKeyAutomatically secureTextEntry passwordRules selectable allowsEditingTextAttributes dataDetectorTypes",
        "textContainerInset selectedRange linkTextAttributes typingAttributes defaultTextAttributes delegate",
        "prompt searchBarStyle barTintColor barStyle translucent scopeButtonTitles selectedScopeButtonIndex showsScopeBar",
        "showsCancelButton showsBookmarkButton showsSearchResultsButton searchResultsButtonSelected",
    ]
    private static let controls = [
        "enabled selected contentHorizontalAlignment contentVerticalAlignment contentEdgeInsets titleEdgeInsets",
        "imageEdgeInsets titleLabel imageView adjustsImageWhenHighlighted adjustsImageWhenDisabled showsTouchWhenHighlighted",
        "reversesTitleShadowWhenHighlighted configuration menu showsMenuAsPrimaryAction role pointerInteractionEnabled",
        "onTintColor offImage onImage thumbTintColor minimumTrackTintColor maximumTrackTintColor continuous autorepeat wraps",
        "minimumValueImage maximumValueImage momentary apportionsSegmentWidthsByContent selectedSegmentTintColor",
        "datePickerMode locale calendar timeZone minimumDate maximumDate minuteInterval preferredDatePickerStyle",
        "hidesForSinglePage pageIndicatorTintColor currentPageIndicatorTintColor defersCurrentPageDisplay color",
        "activityIndicatorViewStyle style progressViewStyle progressTintColor trackTintColor progressImage trackImage",
        "observedProgress highlightedImage animationImages animationDuration animationRepeatCount landscapeImagePhone",
        "title titleView leftBarButtonItem rightBarButtonItem largeTitleDisplayMode hidesBackButton width possibleTitles",
        "customView imageInsets badgeValue badgeColor titleTextAttributes subtitle symbolImage preferredSymbolConfiguration",
    ]
    private static let lists = [
        "contentOffset contentSize contentInset adjustedContentInset contentInsetAdjustmentBehavior directionalLockEnabled",
        "bounces alwaysBounceVertical alwaysBounceHorizontal pagingEnabled scrollEnabled showsHorizontalScrollIndicator",
        "showsVerticalScrollIndicator scrollIndicatorInsets indicatorStyle decelerationRate scrollsToTop minimumZoomScale",
        "maximumZoomScale zoomScale bouncesZoom keyboardDismissMode refreshControl rowHeight sectionHeaderHeight",
        "sectionFooterHeight estimatedRowHeight estimatedSectionHeaderHeight estimatedSectionFooterHeight separatorInset",
        "separatorStyle separatorColor separatorEffect backgroundView allowsSelection allowsMultipleSelection editing",
        "allowsSelectionDuringEditing allowsMultipleSelectionDuringEditing sectionIndexColor sectionIndexBackgroundColor",
        "tableHeaderView tableFooterView dataSource prefetchDataSource dragInteractionEnabled remembersLastFocusedIndexPath",
        "selectionStyle accessoryType accessoryView editingAccessoryType indentationLevel indentationWidth selectedBackgroundView",
        "shouldIndentWhileEditing showsReorderControl textLabel detailTextLabel contentView collectionViewLayout itemSize",
        "minimumLineSpacing minimumInteritemSpacing estimatedItemSize sectionInset scrollDirection prefetchingEnabled",
        "attributedTitle mapType region centerCoordinate zoomEnabled rotateEnabled showsUserLocation scalesPageToFit",
        "allowsInlineMediaPlayback mediaPlaybackRequiresUserAction allowsBackForwardNavigationGestures allowsLinkPreview",
    ]
}
