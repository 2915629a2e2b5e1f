/** Endings of files that the server reads; it recognises the kind by the content again. */
export const images = ['png', 'jpg', 'jpeg', 'webp', 'gif', 'heic', 'heif', 'avif', 'tif', 'tiff', 'bmp']
export const documents = 'pdf docx doc rtf odt xlsx xls ods csv pptx odp epub fb2 txt md html htm'.split(' ')

export const acceptOf = (endings: readonly string[]) => endings.map((ending) => `.${ending}`).join(',')
