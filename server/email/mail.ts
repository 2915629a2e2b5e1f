/** A letter as the product writes it. */
export interface EmailMessage {
  to: string
  subject: string
  text: string
  html: string
}

/** All the product asks of a mail service. */
export type Mail = (message: EmailMessage) => Promise<void>

/** Some social providers give no address and the library makes one up in a domain that never resolves. */
export function canReceiveMail(address: string): boolean {
  return !/\.invalid$/i.test(address.trim())
}
