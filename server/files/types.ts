export interface FileType {
  kind: 'image' | 'document'
  mime: string
}

const office = 'application/vnd.openxmlformats-officedocument'
const document = (mime: string): FileType => ({ kind: 'document', mime })

export const documents = {
  pdf: document('application/pdf'),
  docx: document(`${office}.wordprocessingml.document`),
  xlsx: document(`${office}.spreadsheetml.sheet`),
  csv: document('text/csv'),
  txt: document('text/plain'),
  md: document('text/markdown'),
  html: document('text/html'),
}

/** Types that both browsers and models support. */
export const images = new Map<string, FileType>(
  ['image/png', 'image/jpeg', 'image/webp', 'image/gif'].map((mime) => [mime, { kind: 'image', mime }]),
)
