"""Score, state and rulings for others: MQTT for home automation, webhooks for anything else."""
