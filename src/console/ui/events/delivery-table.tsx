import { texts } from '../app/texts.ts';
import { PlaceLink } from '../components/place-link.tsx';
import { subjectPlace } from './event-types.ts';
import { type Attempt, hasFailed, outcomeOf } from './subscription.ts';

interface DeliveryTableProps {
  readonly projectKey: string;
  /** Newest first. */
  readonly attempts: readonly Attempt[];
}

/** The last attempts to deliver. */
export function DeliveryTable({ projectKey, attempts }: DeliveryTableProps) {
  if (attempts.length === 0) return <p class="empty">{texts.subscriptions.noDeliveries}</p>;
  return (
    <>
      <p class="hint">{texts.subscriptions.deliveriesHint}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by the keyboard. */}
      <section class="scroll" aria-label={texts.subscriptions.deliveries} tabIndex={0}>
        <table class="deliveries">
          <thead>
            <tr>
              <th scope="col">{texts.events.at}</th>
              <th scope="col">{texts.events.type}</th>
              <th scope="col">{texts.events.resource}</th>
              <th scope="col" class="number">
                {texts.subscriptions.attempt}
              </th>
              <th scope="col">{texts.subscriptions.result}</th>
              <th scope="col" class="number">
                {texts.subscriptions.duration}
              </th>
            </tr>
          </thead>
          <tbody>
            {attempts.map((attempt) => (
              <tr key={`${attempt.messageId} ${attempt.attempt} ${attempt.at}`}>
                <td>
                  <time dateTime={attempt.at} title={new Date(attempt.at).toLocaleString()}>
                    {new Date(attempt.at).toLocaleTimeString()}
                  </time>
                </td>
                <td>
                  <span class="badge">{attempt.type}</span>
                </td>
                <td>
                  {attempt.resourceId !== undefined && (
                    <PlaceLink to={subjectPlace(projectKey, attempt.type ?? '', attempt.resourceId)}>
                      {attempt.resourceId}
                    </PlaceLink>
                  )}
                </td>
                <td class="number">{attempt.attempt}</td>
                <td>
                  <span class={hasFailed(attempt) ? 'result failed' : 'result'}>{outcomeOf(attempt)}</span>
                </td>
                <td class="number">{texts.subscriptions.milliseconds(attempt.durationMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
