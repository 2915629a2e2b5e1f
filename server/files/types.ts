export interface FileType {
  kind: 'image' | 'document'
  mime: string
}

const office = 'application/vnd.openxmlformats-officedocument'
const open = 'application/vnd.oasis.opendocument'
const document = (mime: string): FileType => ({ kind: 'document', mime })

export const documents = {
  pdf: document('application/pdf'),
  docx: document(`${office}.wordprocessingml.document`),
  xlsx: document(`${office}.spreadsheetml.sheet`),
  pptx: document(`${office}.presentationml.presentation`),
  odt: document(`${open}.text`),
  ods: document(`${open}.spreadsheet`),
  odp: document(`${open}.presentation`),
  doc: document('application/msword'),
  xls: document('application/vnd.ms-excel'),
  rtf: document('application/rtf'),
  epub: document('application/epub+zip'),
  fb2: document('application/x-fictionbook+xml'),
  csv: document('text/csv'),
  txt: document('text/plain'),
  md: document('text/markdown'),
  html: document('text/html'),
  tiff: document('image/tiff'),
}

/** Images that we read. Those that a browser or a model does not support are stored as JPEG, PNG or WebP. */
export const images = new Map<string, FileType>(
  [
    ...['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif', 'image/tiff', 'image/bmp', 'image/heic'],
    ...['image/heif', 'image/heic-sequence', 'image/heif-sequence'],
  ].map((mime) => [mime, { kind: 'image', mime }]),
)
