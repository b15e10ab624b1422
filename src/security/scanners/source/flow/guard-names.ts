export const PREFIX_CHECKS =
  /^(?:startswith|startsWith|StartsWith|start_with\?|starts_with|str_starts_with|HasPrefix|is_relative_to|isInside)$/;

export const CONTAINMENT_CHECKS =
  /^(?:includes|contains|Contains|has|include\?|indexOf|index|find|strpos|str_contains|in_array|key\?|member\?|containsKey|ContainsKey|contains_key|exists|hasOwn|hasOwnProperty|array_key_exists|key_exists|array_search)$/;

export const REGEX_CHECKS =
  /^(?:match|fullmatch|matches|Match|IsMatch|test|match\?|preg_match|MatchString|search)$/;

export const EQUALITY_CHECKS = /^(?:equals|equalsIgnoreCase|Equals|eql\?)$/;

export const PLAIN_VALUE_CHECKS =
  /^(?:isdigit|isalnum|isdecimal|isnumeric|isalpha|isidentifier|is_numeric|ctype_digit|ctype_alnum|ctype_alpha|is_int|isInteger|isSafeInteger|isUUID|isAlphanumeric|isNumeric|isNumber|settype|ctype_xdigit|is_(?:float|long|bool|scalar_int)|isFinite|is(?:Int|Float|Decimal|Alpha|Hexadecimal|MongoId|ObjectId|ObjectIdOrHexString|Boolean|In|Port|IP|ISO8601|HexColor|Slug|MD5|ULID|Locale|validObjectId))$/;

export const NOT_NUMBER_CHECKS = /^(?:isNaN|is_nan)$/;

/** Matches functions that compare signatures. Data with a valid signature is trusted. */
export const SIGNATURE_CHECKS =
  /^(?:hash_equals|compare_digest|timingSafeEqual|secure_compare|fixed_length_secure_compare|FixedTimeEquals|ConstantTimeCompare|constant_time_compare)$/;

export const PREFIX_FUNCTIONS =
  /^(?:(?:mb_)?substr|strncmp|strncasecmp|substring|slice|Substring|commonpath|commonprefix)$/;

/** Matches members that return the host of a parsed URL. A redirect to a URL without a host is safe. */
export const URL_HOST_MEMBERS = /^(?:netloc|hostname|host|Host|authority)$/;

export const ALLOWLIST_CHECKS =
  /^_?(?:is_?|has_?|check_?|validate_?|verify_?|assert_?)?(?:in(?!valid)_?)?(?:valid|allowed|safe|permitted|local_?url|trusted|whitelisted|allowlisted|known|url_has_allowed_host_and_scheme|is_safe_url)|^_?is_?(?!\w{0,40}(?:not|dis|un|in(?=valid|secure)))\w{0,40}(?:allowed|within|inside|permitted|trusted|whitelisted|allowlisted)/i;

export const EXIT_FUNCTIONS =
  /^(?:(?:flask\.|werkzeug\.exceptions\.)?abort|(?:sys\.)?exit|die|quit|os\._exit|process\.exit|wp_die|wp_send_json(?:_error|_success)?|log\.(?:Fatal|Panic)(?:f|ln)?|os\.Exit|panic|System\.exit|Environment\.(?:Exit|FailFast)|notFound|forbidden|unauthorized)$/;

export const ASSERT_FUNCTIONS =
  /^(?:abort_unless|throw_unless|assert|assert\.(?:ok|isTrue)|invariant|(?:Preconditions\.)?checkArgument|Assert\.isTrue|Validate\.isTrue|Debug\.Assert)$/;

export const ABORT_IF_FUNCTIONS = /^(?:abort_if|throw_if|ArgumentException\.ThrowIf\w{1,40})$/;
