/** A letter as the product writes it. */
export interface Letter {
  to: string
  subject: string
  text: string
  html: string
}

/** All the product asks of a mail service. */
export type Mail = (letter: Letter) => Promise<void>
