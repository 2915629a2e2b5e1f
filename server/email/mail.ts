export interface EmailMessage {
  to: string
  subject: string
  text: string
  html: string
}

/** Sends one email; rejects when it could not be sent. */
export type Mail = (message: EmailMessage) => Promise<void>

/** Some social providers give no address; the library then makes one up under `.invalid`. */
export function canReceiveMail(address: string): boolean {
  return !/\.invalid$/i.test(address.trim())
}
