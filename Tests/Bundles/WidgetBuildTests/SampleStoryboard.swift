/// A storyboard with everything that connects screens, views, cells and controllers.
enum SampleStoryboard {
    static let bytes = Array(text.utf8)

    static let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" toolsVersion="13529" targetRuntime="iOS.CocoaTouch" propertyAccessControl="none" useAutolayout="YES" useTraitCollections="YES" initialViewController="nav-01-nav">
            <device id="retina4_7" orientation="portrait"><adaptation id="fullscreen"/></device>
            <dependencies><deployment identifier="iOS"/></dependencies>
            <scenes>
                <scene sceneID="sc1-00-000">
                    <objects>
                        <navigationController id="nav-01-nav" sceneMemberID="viewController">
                            <navigationBar key="navigationBar" contentMode="scaleToFill" barStyle="black" id="bar-01-bar">
                                <autoresizingMask key="autoresizingMask"/>
                                <color key="tintColor" white="1" alpha="1" colorSpace="calibratedWhite"/>
                            </navigationBar>
                            <connections>
                                <segue destination="fed-01-fed" kind="relationship" relationship="rootViewController" id="rel-01-rel"/>
                            </connections>
                        </navigationController>
                        <placeholder placeholderIdentifier="IBFirstResponder" id="fr1-00-000" sceneMemberID="firstResponder"/>
                    </objects>
                    <point key="canvasLocation" x="0.0" y="0.0"/>
                </scene>
                <scene sceneID="sc2-00-000">
                    <objects>
                        <viewController restorationIdentifier="FeedViewController" storyboardIdentifier="FeedViewController" automaticallyAdjustsScrollViewInsets="NO" id="fed-01-fed" customClass="StandardViewController" customModule="WidgetKit" sceneMemberID="viewController">
                            <layoutGuides>
                                <viewControllerLayoutGuide type="top" id="tlg-01-tlg"/>
                                <viewControllerLayoutGuide type="bottom" id="blg-01-blg"/>
                            </layoutGuides>
                            <view key="view" contentMode="scaleToFill" id="viw-01-viw">
                                <rect key="frame" x="0.0" y="0.0" width="375" height="667"/>
                                <autoresizingMask key="autoresizingMask" widthSizable="YES" heightSizable="YES"/>
                                <subviews>
                                    <tableView clipsSubviews="YES" contentMode="scaleToFill" alwaysBounceVertical="YES" indicatorStyle="white" keyboardDismissMode="onDrag" dataMode="prototypes" style="plain" separatorStyle="none" rowHeight="75" sectionHeaderHeight="28" sectionFooterHeight="28" id="tab-01-tab">
                                        <rect key="frame" x="0.0" y="0.0" width="375" height="667"/>
                                        <autoresizingMask key="autoresizingMask" widthSizable="YES" heightSizable="YES"/>
                                        <color key="backgroundColor" white="0.0" alpha="0.0" colorSpace="calibratedWhite"/>
                                        <inset key="separatorInset" minX="15" minY="0.0" maxX="5" maxY="0.0"/>
                                        <searchBar key="tableHeaderView" contentMode="redraw" searchBarStyle="minimal" placeholder="Filter &amp; find" id="sea-01-sea">
                                            <rect key="frame" x="0.0" y="0.0" width="375" height="56"/>
                                            <autoresizingMask key="autoresizingMask" widthSizable="YES" flexibleMaxY="YES"/>
                                            <textInputTraits key="textInputTraits" autocorrectionType="no" returnKeyType="search"/>
                                            <userDefinedRuntimeAttributes>
                                                <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="searchBar"/>
                                            </userDefinedRuntimeAttributes>
                                        </searchBar>
                                        <prototypes>
                                            <tableViewCell clipsSubviews="YES" contentMode="scaleToFill" selectionStyle="none" indentationWidth="10" reuseIdentifier="Cell" rowHeight="75" id="cel-01-cel" customClass="ContentTableViewCell" customModule="WidgetKit">
                                                <rect key="frame" x="0.0" y="84" width="375" height="75"/>
                                                <autoresizingMask key="autoresizingMask"/>
                                                <tableViewCellContentView key="contentView" opaque="NO" clipsSubviews="YES" multipleTouchEnabled="YES" contentMode="center" tableViewCell="cel-01-cel" id="con-01-con">
                                                    <rect key="frame" x="0.0" y="0.0" width="375" height="75"/>
                                                    <autoresizingMask key="autoresizingMask"/>
                                                    <subviews>
                                                        <view contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="dis-01-dis" customClass="ContentDisplayView" customModule="WidgetKit">
                                                            <rect key="frame" x="0.0" y="0.0" width="375" height="75"/>
                                                            <subviews>
                                                                <label opaque="NO" userInteractionEnabled="NO" contentMode="left" horizontalHuggingPriority="251" verticalHuggingPriority="251" text="Author" textAlignment="natural" lineBreakMode="tailTruncation" numberOfLines="0" baselineAdjustment="alignBaselines" adjustsFontSizeToFit="NO" translatesAutoresizingMaskIntoConstraints="NO" id="lab-01-lab">
                                                                    <rect key="frame" x="72" y="10.5" width="234" height="17"/>
                                                                    <fontDescription key="fontDescription" type="boldSystem" pointSize="14"/>
                                                                    <color key="textColor" red="0.5" green="0.25" blue="0.125" alpha="0.75" colorSpace="custom" customColorSpace="sRGB"/>
                                                                    <userDefinedRuntimeAttributes>
                                                                        <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="authorLabel"/>
                                                                        <userDefinedRuntimeAttribute type="number" keyPath="wx.layoutHint.top"><integer key="value" value="31"/></userDefinedRuntimeAttribute>
                                                                        <userDefinedRuntimeAttribute type="number" keyPath="ratio"><real key="value" value="0.5"/></userDefinedRuntimeAttribute>
                                                                        <userDefinedRuntimeAttribute type="boolean" keyPath="draggable" value="YES"/>
                                                                        <userDefinedRuntimeAttribute type="color" keyPath="borderColor"><color key="value" white="0.5" alpha="1"/></userDefinedRuntimeAttribute>
                                                                        <userDefinedRuntimeAttribute type="point" keyPath="p"><point key="value" x="1" y="2"/></userDefinedRuntimeAttribute>
                                                                        <userDefinedRuntimeAttribute type="size" keyPath="s"><size key="value" width="3" height="4"/></userDefinedRuntimeAttribute>
                                                                        <userDefinedRuntimeAttribute type="rect" keyPath="r"><rect key="value" x="1" y="2" width="3" height="4"/></userDefinedRuntimeAttribute>
                                                                        <userDefinedRuntimeAttribute type="range" keyPath="g"><range key="value" location="5" length="6"/></userDefinedRuntimeAttribute>
                                                                        <userDefinedRuntimeAttribute type="image" keyPath="i" value="wave"/>
                                                                        <userDefinedRuntimeAttribute type="nil" keyPath="n"/>
                                                                    </userDefinedRuntimeAttributes>
                                                                </label>
                                                            </subviews>
                                                            <constraints>
                                                                <constraint firstItem="lab-01-lab" firstAttribute="top" secondItem="dis-01-dis" secondAttribute="top" constant="10.5" id="c01-00-001"/>
                                                                <constraint firstAttribute="bottom" relation="greaterThanOrEqual" secondItem="lab-01-lab" secondAttribute="bottom" constant="12" priority="750" id="c01-00-002" customClass="AnimatedConstraint" customModule="WidgetKit">
                                                                    <userDefinedRuntimeAttributes>
                                                                        <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="bottomSpace"/>
                                                                    </userDefinedRuntimeAttributes>
                                                                </constraint>
                                                                <constraint firstItem="lab-01-lab" firstAttribute="width" secondItem="lab-01-lab" secondAttribute="height" multiplier="16:9" id="c01-00-003"/>
                                                                <constraint firstItem="lab-01-lab" firstAttribute="height" relation="lessThanOrEqual" constant="200" identifier="tall" id="c01-00-004"/>
                                                                <constraint firstAttribute="trailing" secondItem="lab-01-lab" secondAttribute="trailing" symbolic="YES" id="c01-00-005"/>
                                                                <constraint firstItem="lab-01-lab" firstAttribute="leading" constant="1" placeholder="YES" id="c01-00-006"/>
                                                            </constraints>
                                                        </view>
                                                    </subviews>
                                                </tableViewCellContentView>
                                                <connections>
                                                    <outlet property="contentDisplayView" destination="dis-01-dis" id="o01-00-001"/>
                                                    <outlet property="owner" destination="fed-01-fed" id="o01-00-002"/>
                                                    <outlet property="table" destination="tab-01-tab" id="o01-00-003"/>
                                                    <segue destination="det-01-det" kind="show" identifier="details" id="seg-01-seg"/>
                                                </connections>
                                            </tableViewCell>
                                        </prototypes>
                                        <connections>
                                            <outlet property="dataSource" destination="fed-01-fed" id="o01-00-004"/>
                                        </connections>
                                    </tableView>
                                    <button opaque="NO" contentMode="scaleToFill" contentHorizontalAlignment="center" contentVerticalAlignment="center" buttonType="contactAdd" lineBreakMode="middleTruncation" translatesAutoresizingMaskIntoConstraints="NO" id="add-01-add">
                                        <rect key="frame" x="321" y="613" width="40" height="40"/>
                                        <constraints>
                                            <constraint firstAttribute="height" constant="40" id="c01-00-007"/>
                                        </constraints>
                                        <state key="normal" title="Add" image="plus"><color key="titleColor" white="1" alpha="1"/></state>
                                        <state key="disabled" title="Wait"/>
                                        <connections>
                                            <action selector="performAction" destination="act-01-act" eventType="touchUpInside" id="a01-00-001"/>
                                            <action selector="reload:" destination="fr2-00-000" eventType="touchDown" id="a01-00-002"/>
                                            <segue destination="det-01-det" kind="presentation" modalPresentationStyle="formSheet" modalTransitionStyle="crossDissolve" animates="NO" id="seg-02-seg"/>
                                        </connections>
                                    </button>
                                </subviews>
                                <color key="backgroundColor" red="0.12984204" green="0.12984612" blue="0.12984395" alpha="1" colorSpace="calibratedRGB"/>
                                <constraints>
                                    <constraint firstItem="blg-01-blg" firstAttribute="top" secondItem="add-01-add" secondAttribute="bottom" constant="14" id="c01-00-008"/>
                                </constraints>
                            </view>
                            <navigationItem key="navigationItem" title="Feed" id="itm-01-itm">
                                <view key="titleView" contentMode="scaleToFill" id="ttl-01-ttl">
                                    <rect key="frame" x="173" y="7" width="30" height="30"/>
                                    <subviews>
                                        <label opaque="NO" contentMode="left" text="Name" textAlignment="center" id="nam-01-nam">
                                            <rect key="frame" x="0.0" y="0.0" width="47" height="21"/>
                                            <fontDescription key="fontDescription" type="system" weight="semibold" pointSize="17"/>
                                            <nil key="textColor"/>
                                        </label>
                                    </subviews>
                                </view>
                                <barButtonItem key="rightBarButtonItem" systemItem="add" id="bbi-01-bbi">
                                    <connections>
                                        <segue destination="det-01-det" kind="push" id="seg-03-seg"/>
                                    </connections>
                                </barButtonItem>
                                <leftBarButtonItems>
                                    <barButtonItem title="Left" style="done" id="bbi-02-bbi">
                                        <connections><action selector="dismissAction:" destination="fed-01-fed" id="a01-00-003"/></connections>
                                    </barButtonItem>
                                    <barButtonItem systemItem="refresh" style="plain" id="bbi-03-bbi"/>
                                </leftBarButtonItems>
                            </navigationItem>
                            <connections>
                                <outlet property="tableView" destination="tab-01-tab" id="o01-00-005"/>
                                <outlet property="titleLabel" destination="nam-01-nam" id="o01-00-006"/>
                                <outletCollection property="parts" destination="add-01-add" id="o01-00-007"/>
                                <segue destination="det-01-det" kind="custom" identifier="by hand" customClass="Fade" customModule="WidgetKit" id="seg-04-seg"/>
                            </connections>
                        </viewController>
                        <placeholder placeholderIdentifier="IBFirstResponder" id="fr2-00-000" userLabel="First Responder" sceneMemberID="firstResponder"/>
                        <customObject id="act-01-act" customClass="ButtonActionController" customModule="WidgetKit">
                            <userDefinedRuntimeAttributes>
                                <userDefinedRuntimeAttribute type="string" keyPath="action" value="reload"/>
                            </userDefinedRuntimeAttributes>
                        </customObject>
                        <tapGestureRecognizer numberOfTapsRequired="2" id="tap-01-tap">
                            <connections><action selector="tapped:" destination="fed-01-fed" id="a01-00-004"/></connections>
                        </tapGestureRecognizer>
                    </objects>
                </scene>
                <scene sceneID="sc3-00-000">
                    <objects>
                        <viewController title="Details" id="det-01-det" sceneMemberID="viewController">
                            <view key="view" contentMode="scaleToFill" id="viw-02-viw">
                                <rect key="frame" x="0.0" y="0.0" width="375" height="667"/>
                                <subviews>
                                    <stackView opaque="NO" contentMode="scaleToFill" axis="vertical" alignment="center" spacing="8" translatesAutoresizingMaskIntoConstraints="NO" id="stk-01-stk">
                                        <rect key="frame" x="0.0" y="0.0" width="200" height="400"/>
                                        <subviews>
                                            <textField opaque="NO" clipsSubviews="YES" contentMode="scaleToFill" text="typed" placeholder="Type" borderStyle="roundedRect" clearButtonMode="always" id="txf-01-txf">
                                                <rect key="frame" x="0.0" y="0.0" width="97" height="30"/>
                                                <textInputTraits key="textInputTraits" keyboardType="emailAddress" secureTextEntry="YES"/>
                                            </textField>
                                            <switch opaque="NO" on="YES" id="swi-01-swi"><rect key="frame" x="0.0" y="0.0" width="51" height="31"/></switch>
                                            <slider opaque="NO" value="0.5" minValue="0.0" maxValue="2" id="sli-01-sli"><rect key="frame" x="0.0" y="0.0" width="51" height="31"/></slider>
                                            <progressView opaque="NO" progress="0.25" id="prg-01-prg"><rect key="frame" x="0.0" y="0.0" width="51" height="2"/></progressView>
                                            <activityIndicatorView hidesWhenStopped="YES" style="gray" id="ind-01-ind"><rect key="frame" x="0.0" y="0.0" width="20" height="20"/></activityIndicatorView>
                                            <segmentedControl opaque="NO" selectedSegmentIndex="1" id="sgm-01-sgm"><rect key="frame" x="0.0" y="0.0" width="100" height="30"/><segments><segment title="One"/><segment title="Two" enabled="NO"/></segments></segmentedControl>
                                            <imageView userInteractionEnabled="NO" contentMode="scaleAspectFill" image="wave" id="img-01-img"><rect key="frame" x="0.0" y="0.0" width="50" height="50"/></imageView>
                                            <textView clipsSubviews="YES" editable="NO" textAlignment="right" id="txv-01-txv"><rect key="frame" x="0.0" y="0.0" width="50" height="50"/><string key="text">Two
        lines</string><fontDescription key="fontDescription" style="UICTFontTextStyleBody"/></textView>
                                            <collectionView clipsSubviews="YES" dataMode="prototypes" id="col-01-col"><rect key="frame" x="0.0" y="0.0" width="300" height="100"/>
                                                <collectionViewFlowLayout key="collectionViewLayout" minimumLineSpacing="10" minimumInteritemSpacing="5" scrollDirection="horizontal" id="flo-01-flo"><size key="itemSize" width="50" height="60"/><inset key="sectionInset" minX="1" minY="2" maxX="3" maxY="4"/></collectionViewFlowLayout>
                                                <cells><collectionViewCell opaque="NO" reuseIdentifier="Tile" id="til-01-til"><rect key="frame" x="0.0" y="0.0" width="50" height="60"/><view key="contentView" opaque="NO" id="tcv-01-tcv"><rect key="frame" x="0.0" y="0.0" width="50" height="60"/></view><connections><segue destination="fed-01-fed" kind="showDetail" id="seg-05-seg"/></connections></collectionViewCell></cells>
                                            </collectionView>
                                        </subviews>
                                    </stackView>
                                    <containerView opaque="NO" id="cnt-01-cnt"><rect key="frame" x="0.0" y="0.0" width="50" height="60"/><connections><segue destination="fed-01-fed" kind="embed" id="seg-06-seg"/></connections></containerView>
                                </subviews>
                                <constraints>
                                    <constraint firstItem="stk-01-stk" firstAttribute="top" secondItem="saf-01-saf" secondAttribute="top" id="c02-00-001"/>
                                </constraints>
                                <viewLayoutGuide key="safeArea" id="saf-01-saf"/>
                            </view>
                            <tabBarItem key="tabBarItem" title="Tab" image="wave" badgeValue="3" id="tbi-01-tbi"/>
                            <connections>
                                <segue destination="ext-01-ext" kind="unwind" unwindAction="backAction:" identifier="back" id="seg-07-seg"/>
                            </connections>
                        </viewController>
                        <placeholder placeholderIdentifier="IBFirstResponder" id="fr3-00-000" sceneMemberID="firstResponder"/>
                        <exit id="ext-01-ext" sceneMemberID="exit"/>
                    </objects>
                </scene>
            </scenes>
            <resources><image name="wave" width="16" height="16"/></resources>
        </document>
        """
}
