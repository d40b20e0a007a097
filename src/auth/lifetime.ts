/** The longest lifetime that the settings allow. Keys and revocations outlive every token, also after a change of the setting. */
export const maxTokenLifetimeSeconds = 172_800;

/** How far the clocks of the processes may differ. */
export const clockToleranceSeconds = 5;

/** How long after a moment the last token made at it can still be good, with a margin. */
export const tokensOutliveMs = (maxTokenLifetimeSeconds + 300) * 1000;
