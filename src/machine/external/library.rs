//! Machines of the standard library, whose constants are external functions: they need not lie on the disk.

/// A machine by its name: the file of definitions that it includes, and its constants with their
/// parameters, the sets of these, and their values.
type Built = (&'static str, &'static str, &'static [(&'static str, &'static str, &'static str)]);

/// The constants, each with what binds its parameters (nothing: it is a plain value) and its value.
static MACHINES: &[Built] = &[
    (
        "LibraryStrings",
        "LibraryStrings.def",
        &[
            ("length", "x : STRING", "STRING_LENGTH(x)"),
            ("append", "x : STRING & y : STRING", "STRING_APPEND(x, y)"),
            ("split", "x : STRING & y : STRING", "STRING_SPLIT(x, y)"),
            ("join", "x : INTEGER <-> STRING & y : STRING", "STRING_JOIN(x, y)"),
            ("chars", "x : STRING", "STRING_CHARS(x)"),
            ("codes", "x : STRING", "STRING_CODES(x)"),
            ("str2int", "x : STRING", "STRING_TO_INT(x)"),
            ("int2str", "x : INTEGER", "INT_TO_STRING(x)"),
            ("strIsInt", "x : STRING", "bool(STRING_IS_INT(x))"),
            ("strIsInStr", "x : STRING & y : STRING", "STRING_CONTAINS_STRING(x, y)"),
            ("int2decStr", "x : INTEGER & y : INTEGER", "INT_TO_DEC_STRING(x, y)"),
            ("decStr2int", "x : STRING & y : INTEGER", "DEC_STRING_TO_INT(x, y)"),
        ],
    ),
    (
        "LibraryMath",
        "LibraryMath.def",
        &[
            ("sin", "x : INTEGER", "SIN(x)"),
            ("cos", "x : INTEGER", "COS(x)"),
            ("tan", "x : INTEGER", "TAN(x)"),
            ("sinx", "x : NATURAL1 & y : INTEGER", "SINx(x, y)"),
            ("cosx", "x : NATURAL1 & y : INTEGER", "COSx(x, y)"),
            ("tanx", "x : NATURAL1 & y : INTEGER", "TANx(x, y)"),
            ("logx", "x : NATURAL1 & y : NATURAL1 & z : NATURAL1", "LOGx(x, y, z)"),
            ("gcd", "x : INTEGER & y : INTEGER", "GCD(x, y)"),
            ("msb", "x : NATURAL1", "MSB(x)"),
            ("abs", "x : INTEGER", "ABS(x)"),
        ],
    ),
    (
        "LibraryFiles",
        "LibraryFiles.def",
        &[
            ("files", "x : STRING", "FILES(x)"),
            ("full_files", "x : STRING", "FULL_FILES(x)"),
            ("directories", "x : STRING", "DIRECTORIES(x)"),
            ("full_directories", "x : STRING", "FULL_DIRECTORIES(x)"),
            ("current_directory", "", "\".\""),
            ("file_exists", "x : STRING", "bool(FILE_EXISTS(x))"),
            ("file_readable", "x : STRING", "bool(FILE_PROPERTY(x, \"readable\"))"),
            ("file_writable", "x : STRING", "bool(FILE_PROPERTY(x, \"writable\"))"),
            ("file_executable", "x : STRING", "bool(FILE_PROPERTY(x, \"executable\"))"),
            ("file_size", "x : STRING", "FILE_PROPERTY_VALUE(x, \"size_in_bytes\")"),
            ("file_created", "x : STRING", "FILE_PROPERTY_VALUE(x, \"create_timestamp\")"),
            ("file_modified", "x : STRING", "FILE_PROPERTY_VALUE(x, \"modify_timestamp\")"),
            ("file_accessed", "x : STRING", "FILE_PROPERTY_VALUE(x, \"access_timestamp\")"),
            ("directory_exists", "x : STRING", "bool(DIRECTORY_EXISTS(x))"),
            ("directory_readable", "x : STRING", "bool(DIRECTORY_PROPERTY(x, \"readable\"))"),
            ("directory_writable", "x : STRING", "bool(DIRECTORY_PROPERTY(x, \"writable\"))"),
            ("directory_searchable", "x : STRING", "bool(DIRECTORY_PROPERTY(x, \"searchable\"))"),
            (
                "directory_created",
                "x : STRING",
                "DIRECTORY_PROPERTY_VALUE(x, \"create_timestamp\")",
            ),
            (
                "directory_modified",
                "x : STRING",
                "DIRECTORY_PROPERTY_VALUE(x, \"modify_timestamp\")",
            ),
            (
                "directory_accessed",
                "x : STRING",
                "DIRECTORY_PROPERTY_VALUE(x, \"access_timestamp\")",
            ),
        ],
    ),
];

/// The text of a machine of the library.
pub fn machine_text(name: &str) -> Option<String> {
    let (_, library, constants) = MACHINES.iter().find(|(known, ..)| *known == name)?;
    let names: Vec<&str> = constants.iter().map(|(constant, ..)| *constant).collect();
    let properties: Vec<String> = constants
        .iter()
        .map(|(constant, bound, value)| match *bound {
            "" => format!("  {constant} = {value}"),
            _ => {
                let parameters: Vec<&str> =
                    bound.split(" & ").filter_map(|b| b.split(" : ").next()).collect();
                format!("  {constant} = %({}).({bound} | {value})", parameters.join(", "))
            }
        })
        .collect();
    Some(format!(
        "// The functions of {library} as constants, built in.\nMACHINE {name}\nDEFINITIONS \"{library}\"\n\
         ABSTRACT_CONSTANTS {}\nPROPERTIES\n{}\nEND\n",
        names.join(", "),
        properties.join(" &\n")
    ))
}
