"""Words of dates in many languages, folded; written by `benchmarks/date_words.py`."""

#: January first.
MONTHS = (
    (
        "january januar janvier enero gennaio janeiro januari tammikuuta tammikuu "
        "stycznia styczen ledna leden januara sijecnja sijecanj јануар января январь "
        "січня січень студзеня студзень януари јануари ιανουαριου ιανουαριοσ ocak "
        "yanvar ianuarie janar jaanuar janvaris sausio sausis gener xaneiro urtarrila"
        " eanair ionawr januarie يناير ژانویه جنوري جنوری ינואר בינואר जनवरी "
        "জানুয়ারী ਜਨਵਰੀ જાન્યુઆરી जानेवारी ஜனவரி జనవరి ಜನವರಿ ജനുവരി ජනවාරි มกราคม "
        "ມັງກອນ មករា ဇန်နဝါရီ იანვარი հունվարի հունվար қаңтар 一月 janner كانونالثاني "
        "جانفي jan janv ene gen tammi sty led sij јан янв січ сту яну ιαν oca yan ian"
        " jaan saus xan urt ean ion ינו जन॰ জানু ਜਨ જાન્યુ जाने ஜன జన ಜನ ജനു ජන มค ມກ"
        " ဇန် იან հնվ қаң"
    ),
    (
        "february februar fevrier febrero febbraio fevereiro februari helmikuuta "
        "helmikuu lutego luty unora unor februara veljace veljaca фебруар февраля "
        "февраль лютого лютии лютага люты февруари φεβρουαριου φεβρουαριοσ subat "
        "fevral februarie shkurt veebruar februaris vasario vasaris febrer febreiro "
        "otsaila feabhra chwefror فبراير فوریه فبروري فېبروري فروری פברואר בפברואר "
        "फ़रवरी ফেব্রুয়ারী ਫ਼ਰਵਰੀ ફેબ્રુઆરી फेब्रुवारी फेब्रुअरी பிப்ரவரி ఫిబ్రవరి "
        "ಫೆಬ್ರವರಿ ഫെബ്രുവരി පෙබරවාරි กุมภาพันธ์ ກຸມພາ កុម្ភៈ ဖေဖော်ဝါရီ pebrero "
        "თებერვალი փետրվարի փետրվար ақпан 二月 شباط فيفري feb fevr fev helmi lut uno "
        "velj феб февр лют фев φεβ sub febr shk veebr vas ots feabh chwef chw פבר "
        "फ़र॰ ফেব ਫ਼ਰ ફેબ્રુ फेब्रु பிப் ఫిబ్ర ಫೆಬ್ರ ഫെബ്രു පෙබ กพ ກພ ဖေ peb თებ փտվ "
        "ақп"
    ),
    (
        "march marz mars marzo marco maart marts maaliskuuta maaliskuu marca marzec "
        "brezna brezen marec ozujka ozujak mart март марта березня березень сакавіка "
        "сакавік μαρτιου μαρτιοσ marcius martie kovo kovas marc martxoa marta mawrth "
        "مارس مارچ מרץ במרץ मार्च মার্চ ਮਾਰਚ માર્ચ மார்ச் మార్చి ಮಾರ್ಚ್ മാർച്ച് "
        "මාර්තු มีนาคม ມີນາ មីនា မတ် maret mac marso machi მარტი մարտի մարտ наурыз 三月"
        " اذار mar mrt maalis bre ozu мар бер сак μαρ kov maw மார் മാർ මාර් มีค ມນ "
        "მარ մրտ нау"
    ),
    (
        "april avril abril aprile huhtikuuta huhtikuu kwietnia kwiecien dubna duben "
        "aprila travnja travanj април апреля апрель квітня квітень красавіка красавік"
        " απριλιου απριλιοσ nisan aprel aprilis aprilie prill aprill balandzio "
        "balandis apirila aibrean ebrill ابريل اوریل اپریل אפריל באפריל अप्रैल এপ্রিল"
        " ਅਪ੍ਰੈਲ એપ્રિલ एप्रिल अप्रिल ஏப்ரல் ఏప్రిల్ ಏಪ್ರಿಲ್ ഏപ്രിൽ අප්රේල් เมษายน "
        "ເມສາ មេសា ဧပြီ aprili აპრილი ապրիլի ապրիլ сәуір 四月 نيسان افريل apr avr abr "
        "huhti kwi dub tra апр квіт кра απρ nis pri bal api aib ebr אפר এপ্রি ਅਪ੍ਰੈ "
        "एप्रि ஏப் ఏప్రి ಏಪ್ರಿ ഏപ്രി เมย ມສ ဧ აპრ ապր сәу"
    ),
    (
        "may mai mayo maggio maio mei maj toukokuuta toukokuu maja kvetna kveten "
        "svibnja svibanj мај мая маи травня травень μαιου μαιοσ mayis majus maijs "
        "geguzes geguze maig maiatza bealtaine مايو مه مۍ ميی מאי במאי मई মে ਮਈ મે मे"
        " மே మే ಮೇ മേയ് මැයි พฤษภาคม ພຶດສະພາ ឧសភា မေ მაისი մայիսի մայիս мамыр 五月 "
        "ايار ماي mag touko kve svi трав μαι geg beal พค ພພ მაი մյս мам"
    ),
    (
        "june juni juin junio giugno junho kesakuuta kesakuu czerwca czerwiec cervna "
        "cerven juna jun junij lipnja lipanj јун июня июнь червня червень чэрвеня "
        "чэрвень юни јуни ιουνιου ιουνιοσ haziran iyun junius iunie qershor juuni "
        "junijs birzelio birzelis juny xuno ekaina meitheamh mehefin junie يونيو ژوين"
        " جون יוני ביוני जून জুন ਜੂਨ જૂન जुन ஜூன் జూన్ ಜೂನ್ ജൂൺ ජූනි มิถุนายน ມິຖຸນາ "
        "មិថុនា ဇွန် hunyo ივნისი հունիսի հունիս маусым 六月 حزيران جوان giu kesa cze "
        "cvn июн черв чэр ιουν haz iyn iun qer birz eka meith meh มิย ມິຖ hun ივნ հնս"
        " мау"
    ),
    (
        "july juli juillet julio luglio julho heinakuuta heinakuu lipca lipiec "
        "cervence cervenec jula jul julij srpnja srpanj јул июля июль липня липень "
        "ліпеня ліпень юли јули ιουλιου ιουλιοσ temmuz iyul julius iulie korrik juuli"
        " julijs liepos liepa juliol xullo uztaila iuil gorffennaf julie يوليو ژويیه "
        "جولای جولايی יולי ביולי जुलाई জুলাই ਜੁਲਾਈ જુલાઈ जुलै ஜூலை జులై ಜುಲೈ ജൂലൈ "
        "ජූලි กรกฎาคม ກໍລະກົດ កក្កដា ဇူလိုင် julai hulyo ივლისი հուլիսի հուլիս шілде "
        "七月 تموز يوليوز جويلية juil lug heina lip cvc июл лип ліп ιουλ tem iyl iul "
        "korr liep xul uzt gorff gor जुल॰ জুল ਜੁਲਾ กค ກລ ဇူ hul ივლ հլս шіл juill"
    ),
    (
        "august aout agosto augustus augusti elokuuta elokuu agust sierpnia sierpien "
        "srpna srpen augusta avgust kolovoza kolovoz август августа серпня серпень "
        "жніуня жнівень αυγουστου αυγουστοσ agustos avqust augusztus gusht augusts "
        "rugpjucio rugpjutis agost abuztua lunasa awst اغسطس اوت اګست اگست אוגוסט "
        "באוגוסט अगस्त আগস্ট ਅਗਸਤ ઑગસ્ટ ऑगस्ट अगस्ट ஆகஸ்ட் ఆగస్టు ಆಗಸ್ಟ್ ഓഗസ്റ്റ് "
        "අගෝස්තු สิงหาคม ສິງຫາ សីហា ဩဂုတ် agustus ogos agosti აგვისტო օգոստոսի "
        "օգոստոս тамыз 八月 اب غشت aug ago elo agu sie srp avg kol авг серп жні αυγ avq"
        " gush rugp ag abu lun אוג अग॰ আগ ਅਗ ऑग ஆக ఆగ ಆಗ ഓഗ අගෝ สค ສຫ ဩ ogo აგვ օգս"
        " там"
    ),
    (
        "september septembre septiembre settembre setembro syyskuuta syyskuu wrzesnia"
        " wrzesien zari septembra rujna rujan septembar септембар сентября сентябрь "
        "вересня вересень верасня верасень септември σεπτεμβριου σεπτεμβριοσ eylul "
        "sentyabr szeptember septembrie shtator septembris rugsejo rugsejis setembre "
        "iraila meanfomhair medi سبتمبر سپتامبر سېپتمبر سپتمبر ستمبر ספטמבר בספטמבר "
        "सितंबर সেপ্টেম্বর ਸਤੰਬਰ સપ્ટેમ્બર सप्टेंबर सेप्टेम्बर செப்டம்பர் సెప్టెంబర్ "
        "ಸೆಪ್ಟೆಂಬರ್ സെപ്റ്റംബർ සැප්තැම්බර් กันยายน ກັນຍາ កញ្ញា စက်တင်ဘာ setyembre "
        "septemba სექტემბერი սեպտեմբերի սեպտեմբեր қыркүиек sentabr 九月 ايلول شتنبر sep"
        " sept set syys wrz zar ruj сеп сент вер σεπ eyl sen szept sht rugs ira mfomh"
        " ספט सित॰ সেপ ਸਤੰ સપ્ટે सप्टें செப் సెప్టెం ಸೆಪ್ಟೆಂ സെപ്റ്റം සැප් กย ກຍ စက် "
        "სექ սեպ қыр"
    ),
    (
        "october oktober octobre octubre ottobre outubro lokakuuta lokakuu "
        "pazdziernika pazdziernik rijna rijen oktobra oktobar октобар октября октябрь"
        " жовтня жовтень кастрычніка кастрычнік октомври οκτωβριου οκτωβριοσ ekim "
        "oktyabr octombrie tetor oktoober oktobris spalio spalis urria "
        "deireadhfomhair hydref اكتوبر اکتبر اکتوبر אוקטובר באוקטובר अक्टूबर অক্টোবর"
        " ਅਕਤੂਬਰ ઑક્ટોબર ऑक्टोबर अक्टोबर அக்டோபர் అక్టోబర్ ಅಕ್ಟೋಬರ್ ഒക്ടോബർ "
        "ඔක්තෝබර් ตุลาคม ຕຸລາ តុលា အောက်တိုဘာ oktubre oktoba ოქტომბერი հոկտեմբերի "
        "հոկտեմբեր қазан oktabr 十月 تشرينالاول oct okt ott out loka paz rij окт жовт "
        "кас οκτ eki tet spal urr dfomh hyd אוק अक्टू॰ অক্টো ਅਕਤੂ ઑક્ટો ऑक्टो அக் "
        "అక్టో ಅಕ್ಟೋ ഒക്ടോ ඔක් ตค ຕລ အောက် ოქტ հոկ қаз"
    ),
    (
        "november novembre noviembre novembro marraskuuta marraskuu listopada "
        "listopad listopadu novembra studenoga studeni novembar новембар ноября "
        "ноябрь листопада листопад лістапада лістапад ноември νοεμβριου νοεμβριοσ "
        "kasim noyabr noiembrie nentor novembris lapkricio lapkritis azaroa samhain "
        "tachwedd نوفمبر نوامبر نومبر נובמבר בנובמבר नवंबर নভেম্বর ਨਵੰਬਰ નવેમ્બર "
        "नोव्हेंबर नोभेम्बर நவம்பர் నవంబర్ ನವೆಂಬರ್ നവംബർ නොවැම්බර් พฤศจิกายน ພະຈິກ "
        "វិច្ឆិកា နိုဝင်ဘာ nobyembre novemba ნოემბერი նոյեմբերի նոյեմբեր қараша 十一月 "
        "تشرينالثاني نونبر nov marras lis stu нов нояб лист ліс ное νοε kas noy nen "
        "lapkr aza samh tach נוב नव॰ নভে ਨਵੰ નવે नोव्हें நவ నవం ನವೆಂ നവം නොවැ พย ພຈ "
        "နို nob ნოე նոյ қар"
    ),
    (
        "december dezember decembre diciembre dicembre dezembro desember joulukuuta "
        "joulukuu grudnia grudzien prosince prosinec decembra prosinca prosinac "
        "decembar децембар декабря декабрь грудня грудень снежня снежань декември "
        "δεκεμβριου δεκεμβριοσ aralik dekabr decembrie dhjetor detsember decembris "
        "gruodzio gruodis desembre decembro abendua nollaig rhagfyr ديسمبر دسامبر "
        "دسمبر דצמבר בדצמבר दिसंबर ডিসেম্বর ਦਸੰਬਰ ડિસેમ્બર डिसेंबर डिसेम्बर டிசம்பர் "
        "డిసెంబర్ ಡಿಸೆಂಬರ್ ഡിസംബർ දෙසැම්බර් ธันวาคม ທັນວາ ធ្នូ ဒီဇင်ဘာ disember "
        "disyembre desemba დეკემბერი դեկտեմբերի դեկտեմբեր желтоқсан 十二月 كانونالاول "
        "دجنبر dec dez dic des joulu gru pro дец дек груд сне δεκ ara dek dhj dets "
        "gruod abe noll rhag דצמ दिस॰ ডিসে ਦਸੰ ડિસે डिसें டிச డిసెం ಡಿಸೆಂ ഡിസം දෙසැ "
        "ธค ທວ ဒီ dis დეკ դեկ жел"
    ),
)
#: Monday first.
WEEKDAYS = (
    (
        "monday montag lundi lunes lunedi segundafeira maandag mandag maanantaina "
        "maanantai manudagur poniedziałek pondeli pondelok ponedeljek ponedjeljak "
        "понедељак понедельник понеділок панядзелак понеделник δευτερα pazartesi "
        "bazarertəsi hetfo luni ehene esmaspaev pirmdiena pirmadienis dilluns luns "
        "astelehena deluain dyddllun الاثنين دوشنبه دونۍ پیر יוםשני सोमवार সোমবার "
        "ਸੋਮਵਾਰ સોમવાર सोमबार திங்கள் సోమవారం ಸೋಮವಾರ തിങ്കളാഴ്ച සඳුදා วันจันทร์ "
        "ວັນຈັນ ច័ន្ទ ចន្ទ တနင်္လာ thuhai senin isnin jumatatu ორშაბათი երկուշաբթի "
        "дүисенбі dushanba 月曜日 월요일 星期一 ponedeljak mon mo lun seg ma man pon po "
        "пон пн δευ pzt be h hen e pirmd pr dl al luan llun יוםב सोम সোম ਸੋਮ સોમ "
        "திங் సోమ ಸೋಮ തിങ്കൾ จ ຈັນ sen isn ორშ երկ дс dush 月 월 周一 週一"
    ),
    (
        "tuesday dienstag mardi martes martedi tercafeira dinsdag tisdag tirsdag "
        "tysdag tiistaina tiistai þriðjudagur wtorek utery utorok torek utorak уторак"
        " вторник вівторок ауторак τριτη sali cərsənbəaxsami kedd marti emarte "
        "teisipaev otrdiena antradienis dimarts asteartea demairt dyddmawrth الثلاثاء"
        " سهشنبه درېنۍ منگل יוםשלישי मंगलवार মঙ্গলবার ਮੰਗਲਵਾਰ મંગળવાર मंगळवार "
        "मङ्गलबार செவ்வாய் మంగళవారం ಮಂಗಳವಾರ ചൊവ്വാഴ്ച අඟහරුවාදා วันอังคาร ວັນອັງຄານ "
        "អង្គារ အင်္ဂါ thuba selasa jumanne სამშაბათი երեքշաբթի сеисенбі seshanba 火曜日"
        " 화요일 星期二 tue di mar ter tis tir ty tys tirs ti þri wt ut uto уто вт ау "
        "вто τρι sal ca k t otrd an dt ar mairt maw יוםג मंगल মঙ্গল ਮੰਗਲ મંગળ मंगळ "
        "मङ्गल செவ் మంగళ ಮಂಗಳ ചൊവ്വ අඟහ อ ອັງຄານ sel სამ երք сс sesh 火 화 周二 週二"
    ),
    (
        "wednesday mittwoch mercredi miercoles mercoledi quartafeira woensdag onsdag "
        "keskiviikkona keskiviikko miðvikudagur sroda streda sreda srijeda среда "
        "середа серада сряда τεταρτη carsamba cərsənbə szerda miercuri emerkure "
        "kolmapaev tresdiena treciadienis dimecres mercores asteazkena deceadaoin "
        "dyddmercher الاربعاء چهارشنبه څلرنۍ بدھ יוםרביעי बुधवार বুধবার ਬੁੱਧਵਾਰ "
        "બુધવાર बुधबार புதன் బుధవారం ಬುಧವಾರ ബുധനാഴ്ച බදාදා วันพุธ ວັນພຸດ ពុធ ဗုဒ္ဓဟူး"
        " thutu rabu miyerkules jumatano ოთხშაბათი չորեքշաբթի сәрсенбі chorshanba 水曜日"
        " 수요일 星期三 wed mi mer mie qua wo ons on ke mið sr st sre sri сре ср τετ "
        "car c sze tresd tr dc az cead יוםד बुध বুধ ਬੁੱਧ બુધ புத బుధ ಬುಧ ബുധൻ พ ພຸດ "
        "rab miy ოთხ չրք chor 水 수 周三 週三"
    ),
    (
        "thursday donnerstag jeudi jueves giovedi quintafeira donderdag torsdag "
        "torstaina torstai fimmtudagur czwartek ctvrtek stvrtok cetrtek cetvrtak "
        "четвртак четверг четвер чацвер четвъртък четврток πεμπτη persembe cuməaxsami"
        " csutortok joi eenjte neljapaev ceturtdiena ketvirtadienis dijous xoves "
        "osteguna deardaoin dyddiau الخميس پنجشنبه پينځنۍ جمعرات יוםחמישי गुरुवार "
        "বৃহস্পতিবার ਵੀਰਵਾਰ ગુરુવાર बिहिबार வியாழன் గురువారం ಗುರುವಾರ വ്യാഴാഴ്ച "
        "බ්රහස්පතින්දා วันพฤหัสบดี ວັນພະຫັດ ព្រហស្បតិ៍ ကြာသပတေး thunam kamis khamis "
        "huwebes alhamisi ხუთშაბათი հինգշաբթի беисенбі payshanba 木曜日 목요일 星期四 thu"
        " do jeu jue gio qui tors tor to fim czw ct cet чет чт чц πεμ per cs enj n "
        "ceturtd kt dj xov og dear iau יוםה गुरु বৃহস্পতি ਵੀਰ ગુરુ बिहि வியா గురు "
        "ಗುರು വ്യാഴം බ්රහස් พฤ ພະຫັດ ព្រហ kam kha huw ხუთ հնգ бс pay 木 목 周四 週四"
    ),
    (
        "friday freitag vendredi viernes venerdi sextafeira vrijdag fredag "
        "perjantaina perjantai fostudagur piatek patek piatok petek petak петак "
        "пятница пʼятниця пятніца петък петок παρασκευη cuma cumə pentek vineri "
        "epremte reede piektdiena penktadienis divendres venres ostirala dehaoine "
        "dyddgwener vrydag الجمعة جمعه جمعہ יוםשישי शुक्रवार শুক্রবার ਸ਼ੁੱਕਰਵਾਰ "
        "શુક્રવાર शुक्रबार வெள்ளி శుక్రవారం ಶುಕ್ರವಾರ വെള്ളിയാഴ്ച සිකුරාදා วันศุกร์ "
        "ວັນສຸກ សុក្រ သောကြာ thusau jumat jumaat biyernes ijumaa პარასკევი ուրբաթ "
        "жұма juma 金曜日 금요일 星期五 fri fr ven vie sex vr fre pe fos pt pa pi pet пет"
        " пт παρ cum p vin pre r piektd pn dv or aoine gwen gwe יוםו शुक्र শুক্র "
        "ਸ਼ੁੱਕਰ શુક્ર வெள் శుక్ర ಶುಕ್ರ വെള്ളി සිකු ศ ສຸກ jum biy პარ ուր жм 金 금 周五 "
        "週五"
    ),
    (
        "saturday samstag samedi sabado sabato zaterdag lordag lørdag laurdag "
        "lauantaina lauantai laugardagur sobota subota субота суббота събота сабота "
        "σαββατο cumartesi sənbə szombat sambata eshtune laupaev sestdiena "
        "sestadienis dissabte larunbata desathairn dyddsadwrn saterdag السبت شنبه "
        "اونۍ ہفتہ יוםשבת शनिवार শনিবার ਸ਼ਨਿੱਚਰਵਾਰ શનિવાર शनिबार சனி శనివారం ಶನಿವಾರ "
        "ശനിയാഴ്ച සෙනසුරාදා วันเสาร์ ວັນເສົາ សៅរ៍ စနေ thubay sabtu jumamosi შაბათი "
        "շաբաթ сенбі shanba 土曜日 토요일 星期六 sat sa sam sab za lor lør la lau sob sub "
        "суб сб саб σαβ cmt s szo sht l sestd ds lr sath sad שבת शनि শনি ਸ਼ਨਿੱਚਰ શનિ "
        "శని ಶನಿ ശനി සෙන ส ເສົາ შაბ շբթ shan 土 토 周六 週六"
    ),
    (
        "sunday sonntag dimanche domingo domenica zondag sondag søndag sunnuntai "
        "sunnudagur niedziela nedele nedela nedelja nedjelja недеља воскресенье "
        "неділя нядзеля неделя недела κυριακη pazar bazar vasarnap duminica ediel "
        "puhapaev svetdiena sekmadienis diumenge igandea dedomhnaigh dyddsul الاحد "
        "یکشنبه يونۍ اتوار יוםראשון रविवार রবিবার ਐਤਵਾਰ રવિવાર आइतबार ஞாயிறு ఆదివారం "
        "ಭಾನುವಾರ ഞായറാഴ്ച ඉරිදා วันอาทิตย์ ວັນອາທິດ អាទិត្យ တနင်္ဂနွေ chunhat minggu "
        "ahad linggo jumapili კვირა կիրակի жексенбі yakshanba 日曜日 일요일 星期日 sun so"
        " dim dom zo son søn sø su niedz ne ned нед вс нд κυρ paz b v dum die svetd "
        "sk dg ig domh sul יוםא रवि রবি ਐਤ રવિ आइत ஞாயி ఆది ಭಾನು ഞായർ อา ອາທິດ cn min"
        " ahd lin კვი կիր жс yak 日 일 周日 週日"
    ),
)
#: Farvardin first.
PERSIAN_MONTHS = (
    ("فروردین"),
    ("اردیبهشت"),
    ("خرداد"),
    ("تیر"),
    ("مرداد"),
    ("شهریور"),
    ("مهر"),
    ("ابان"),
    ("اذر"),
    ("دی"),
    ("بهمن"),
    ("اسفند"),
)
#: Polish and Czech months that are others in Croatian, where a dot follows the day.
CROATIAN_MONTHS = {"listopada": 10, "listopad": 10, "lip": 6, "srp": 7, "lis": 10}
#: Halves of the day.
DAY_PERIODS = (
    "am pm fm em ap ip fh eh dop odp pop prijepodne popodne дп пп проб слоб "
    "претпл попл πμ μμ oo os de du pd md eparadites epasdites prieksp pecp "
    "priekspusdiena pecpusdiena priespiet popiet rn in yb yh vm nm ص م قظ بظ "
    "قبلازظهر بعدازظهر غم غو ਪੂਦੁ ਬਾਦੁ पूर्वाह्न अपराह्न පෙව පව ก่อนเที่ยง "
    "หลังเที่ยง ກ່ອນທ່ຽງ ຫຼັງທ່ຽງ နံနက် ညနေ sa ch pg ptg to tk 午前 午後 오전 오후 "
    "上午 下午"
)
TODAY = (
    "today heute aujourd'hui hoy oggi hoje vandaag idag tänään dzisiaj dziś dnes "
    "danes danas данас сегодня сьогодні сёння сення днес денес σήμερα bugün azi "
    "sot täna šodien šiandien avui hui hoxe gaur inniu heddiw vandag اليوم امروز "
    "היום ਅੱਜ આજે இன்று ಇಂದು ഇന്ന് วันนี้ ມື້ນີ້ ថ្ងៃ​នេះ ယနေ့ leo დღეს այսօր "
    "бүгін bugun"
)
YESTERDAY = (
    "yesterday gestern hier ayer ieri ontem gisteren igår eilen wcz wczoraj včera"
    " včeraj jučer јуче вчера учора вчора ўчора снощи χθες dün dünən tegnap dje "
    "eile vakar ahir onte atzo inné ddoe gister أمس الأمس دیروز پرون אתמול গতকাল "
    "ગઈકાલે काल हिजो நேற்று నిన్న ನಿನ್ನೆ ഇന്നലെ ඊයේ เมื่อวาน ມື້ວານ ម្សិលមិញ "
    "မနေ့က kemarin semalam semlm kahapon jana გუშინ երեկ кеше kecha"
)
LANGUAGES = (
    "af ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he "
    "hi hr hu hy id is it ja ka kk km kn ko lo lt lv mk ml mr ms my nb ne nl nn "
    "pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh"
)
