/** The commodities of PSD Online, from the choices of its page (2018). */
export const PSD_COMMODITIES: readonly string[] =
  `Almonds, Shelled Basis|Animal Numbers, Cattle|Animal Numbers, Swine|Apples, Fresh|Barley|Coffee, Green|Corn|Cotton
Dairy, Butter|Dairy, Cheese|Dairy, Dry Whole Milk Powder|Dairy, Milk, Fluid|Dairy, Milk, Nonfat Dry
Fresh Cherries,(Sweet&Sour)|Fresh Peaches & Nectarines|Grapefruit, Fresh|Grapes, Fresh|Lemons/Limes, Fresh|Meal, Copra
Meal, Cottonseed|Meal, Fish|Meal, Palm Kernel|Meal, Peanut|Meal, Rapeseed|Meal, Soybean|Meal, Soybean (Local)
Meal, Sunflowerseed|Meat, Beef and Veal|Meat, Swine|Millet|Mixed Grain|Oats|Oil, Coconut|Oil, Cottonseed|Oil, Olive
Oil, Palm|Oil, Palm Kernel|Oil, Peanut|Oil, Rapeseed|Oil, Soybean|Oil, Soybean (Local)|Oil, Sunflowerseed
Oilseed, Copra|Oilseed, Cottonseed|Oilseed, Palm Kernel|Oilseed, Peanut|Oilseed, Rapeseed|Oilseed, Soybean
Oilseed, Soybean (Local)|Oilseed, Sunflowerseed|Orange Juice|Oranges, Fresh|Pears, Fresh|Pistachios, Inshell Basis
Poultry, Meat, Broiler|Poultry, Meat, Turkey|Raisins|Rice, Milled|Rye|Sorghum|Sugar, Centrifugal
Tangerines/Mandarins, Fresh|Walnuts, Inshell Basis|Wheat`.split(/[|\n]/);

/** The countries and regions of PSD Online, from the choices of its page (2018). */
export const PSD_COUNTRIES: readonly string[] = `Afghanistan|Africa, NEC|Albania|Algeria|Angola|Anguilla
Antigua and Barbuda|Argentina|Armenia|Aruba|Australia|Austria|Azerbaijan|Azores|Bahamas, The|Bahrain|Bangladesh|Barbados
Belarus|Belgium (without Luxembourg)|Belgium-Luxembourg|Belize|Benin|Bermuda|Bhutan|Bolivia|Bosnia and Herzegovina|Botswana
Brazil|British Ind. Ocean Territory|British Virgin Islands|British West Pacific Islands|Brunei|Bulgaria|Burkina|Burma
Burundi|Cambodia|Cameroon|Canada|Canary Islands|Canton and Enderbury Islands|Cape Verde|Caribbean Basin|Cayman Islands
Central African Republic|Chad|Chile|China|Colombia|Comoros|Congo (Brazzaville)|Congo (Kinshasa)|Costa Rica|Cote d'Ivoire
Croatia|Cuba|Cyprus|Czech Republic|Denmark|Djibouti|Dominica|Dominican Republic|Ecuador|Egypt|El Salvador|Equatorial Guinea
Eritrea|Estonia|Ethiopia|EU-15|EU-25|European Union|Falkland Islands (Islas Malvin|Faroe Islands|Fernando Po|Fiji|Finland
Former Czechoslovakia|Former Yugoslavia|Fr.Ter.Africa-Issas|France|French Equatorial Africa|French Guiana
French Ind. Ocean Territory|French Polynesia|French West Indies|Gabon|Gambia, The|Gaza Strip|Georgia
German Democratic Republic|Germany|Germany, Federal Republic of|Ghana|Gibraltar|Gilbert and Ellice Islands|Greece|Greenland
Grenada|Guadeloupe|Guam|Guatemala|Guinea|Guinea-Bissau|Guyana|Haiti|Honduras|Hong Kong|Hungary|Iceland|India|Indonesia|Iran
Iraq|Ireland|Israel|Italy|Jamaica|Japan|Jordan|Kazakhstan|Kenya|Korea, North|Korea, South|Kosovo|Kuwait|Kyrgyzstan|Laos
Latvia|Lebanon|Leeward-Windward Islands|Lesotho|Liberia|Libya|Lithuania|Luxembourg|Macau|Macedonia|Madagascar
Madeira Islands|Malawi|Malaysia|Maldives|Mali|Malta|Martinique|Mauritania|Mauritius|Mexico|Midway Islands|Moldova|Mongolia
Montenegro|Montserrat|Morocco|Mozambique|Namibia|Nauru|Nepal|Netherlands|Netherlands Antilles|New Caledonia|New Zealand
Nicaragua|Niger|Nigeria|Norway|Oman|Other|Other Pacific Islands, NEC|Pakistan|Panama|Papua New Guinea|Paraguay|Peru
Philippines|Poland|Portugal|Puerto Rico|Qatar|Reunion|Romania|Russia|Rwanda|Ryukyu Is - Nansei Is|Samoa
Sao Tome and Principe|Saudi Arabia|Senegal|Serbia|Serbia and Montenegro|Seychelles|Sierra Leone|Singapore|Slovakia|Slovenia
Solomon Islands|Somalia|South Africa|South Sudan|Southern Asia NEC|Spain|Sri Lanka|St. Helena (Br W Afr)
St. Kitts and Nevis|St. Lucia|St. Pierre and Miquelon|St. Vincent and the Grenadines|Sudan|Suriname|Swaziland|Sweden
Switzerland|Syria|Taiwan|Tajikistan|Tanzania|Thailand|Togo|Tonga|Trinidad and Tobago|Trust Territory of the Pacific
Tunisia|Turkey|Turkmenistan|Turks and Caicos Islands|Uganda|Ukraine|Union of Soviet Socialist Repu|United Arab Emirates
United Kingdom|United States|Uruguay|Uzbekistan|Vanuatu/New Hebrides|Venezuela|Vietnam|Vietnam, Peoples Republic of
Vietnam, Republic of (South)|Virgin Islands of the U.S.|Wake Island|West Bank|Western Sahara|Yemen|Yemen (Aden)
Yemen (Sanaa)|Yugoslavia (>01/2001)|Yugoslavia (>05/92)|Zambia|Zimbabwe|Caribbean|Central America|East Asia
European Union - 28|Former Soviet Union - 12|Middle East|North Africa|North America|Oceania|Other Europe|South America
South Asia|Southeast Asia|Sub-Saharan Africa`.split(/[|\n]/);
